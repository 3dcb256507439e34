import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** What Node has globally, for the scripts that no type checker looks at. */
const nodeGlobals = Object.fromEntries(
  ['Buffer', 'URL', 'clearTimeout', 'console', 'process', 'setTimeout'].map((name) => [
    name,
    'readonly',
  ]),
);

export default defineConfig(
  globalIgnores(['build/', 'dist/', '**/*.generated.ts']),
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      // One program for src, test, bench and scripts alike.
      parserOptions: {
        project: 'test/tsconfig.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Numbers and bigints read well in a template; objects do not.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: false, allowNullish: false },
      ],
      eqeqeq: 'error',
      // Names of cgroups hold any byte, and escaping them is our business.
      'no-control-regex': 'off',
    },
  },
  {
    // node:test gives its promises to its own runner.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            {
              from: 'package',
              package: 'node:test',
              name: [
                'test',
                'it',
                'describe',
                'suite',
                'before',
                'after',
                'beforeEach',
                'afterEach',
              ],
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { globals: nodeGlobals },
    rules: { eqeqeq: 'error' },
  },
);
