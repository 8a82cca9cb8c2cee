// Which browser and which build this is, for the hello.

import type { Identity } from "./link";

/** Reads it. */
export async function identity(version: string): Promise<Identity> {
  const agent = navigator.userAgent;
  const plain = /(?:Headless)?(Chrome|Edg)\/[\d.]+/.exec(agent)?.[0] ?? agent;
  const brands = await brandList().catch(() => []);
  // The first brand that is no filler and no mere engine is the browser's name.
  const named = brands.filter(({ brand }) => !/not.*brand/i.test(brand));
  const own = named.find(({ brand }) => brand !== "Chromium") ?? named[0];
  return {
    version, build: BUILD_HASH, browser: own === undefined ? plain : `${own.brand} ${own.version}`,
    headless: agent.includes("Headless") || brands.some(({ brand }) => brand.includes("Headless")),
  };
}

interface AgentData {
  getHighEntropyValues(hints: string[]): Promise<unknown>;
}

function isAgentData(value: unknown): value is AgentData {
  return typeof value === "object" && value !== null && "getHighEntropyValues" in value && typeof value.getHighEntropyValues === "function";
}

async function brandList(): Promise<{ brand: string; version: string }[]> {
  if (!("userAgentData" in navigator) || !isAgentData(navigator.userAgentData)) return [];
  const values = await navigator.userAgentData.getHighEntropyValues(["fullVersionList"]);
  if (typeof values !== "object" || values === null || !("fullVersionList" in values) || !Array.isArray(values.fullVersionList)) return [];
  return values.fullVersionList.flatMap((entry: unknown) =>
    typeof entry === "object" && entry !== null && "brand" in entry && "version" in entry ? [{ brand: String(entry.brand), version: String(entry.version) }] : []);
}
