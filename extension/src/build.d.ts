/** sha256 of the sources this bundle was built from; put in by build.mjs. */
declare const BUILD_HASH: string;
