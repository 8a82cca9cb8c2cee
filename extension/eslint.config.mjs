// What tsc cannot say: no `as` but `as const`, no `!`, no `any`, awaited promises, and one owner of `chrome.*`.

import tseslint from "typescript-eslint";

const noAssertions = {
  selector: "TSAsExpression:not([typeAnnotation.type='TSTypeReference'][typeAnnotation.typeName.name='const'])",
  message: "Narrow the value instead of asserting its type.",
};
const noChrome = {
  selector: "MemberExpression[object.name='chrome']",
  message: "Only background/chrome.ts (and the small shims named in eslint.config.mjs) touches chrome.*.",
};

export default tseslint.config(
  { ignores: ["dist/**", "node_modules/**", "src/generated/**", "*.mjs"] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "no-restricted-syntax": ["error", noAssertions, noChrome],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "eqeqeq": "error",
    },
  },
  {
    files: [
      "src/background/chrome.ts", "src/offscreen/main.ts", "src/popup/shim.ts", "src/content/chrome.ts", "src/content/main.ts", "test/**/*.ts",
    ],
    rules: { "no-restricted-syntax": ["error", noAssertions] },
  },
  {
    files: ["test/**/*.ts"],
    rules: { "@typescript-eslint/no-floating-promises": "off", "@typescript-eslint/require-await": "off" },
  },
);
