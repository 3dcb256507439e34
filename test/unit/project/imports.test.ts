import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const sources = fileURLToPath(new URL('../../../src', import.meta.url));

/** A folder imports only what is left of it: data flows in one direction. */
const order = [
  'text',
  'bpf-ts',
  'events',
  'cgroupfs',
  'owners',
  'lifecycle',
  'cost',
  'watch',
  'cleanup',
  'ledger',
  'export',
  'report',
  'web',
  'cli',
];
/** Of use elsewhere, too: these know nothing of the rest. */
const independent = ['text', 'bpf-ts'];

/** Every module that a source names: import, export from, import() and import types. */
function importsOf(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    let module: ts.Node | undefined;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      module = node.moduleSpecifier;
    } else if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword
    ) {
      module = node.arguments[0];
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      module = node.argument.literal;
    }
    if (module && ts.isStringLiteral(module)) found.push(module.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2022, true));
  return found;
}

/** What is wrong with the imports of a source, at this path below src. */
function wrongImports(path: string, source: string): string[] {
  const folder = folderOf(path);
  // index.ts is the face of them all.
  if (folder === '') return [];
  if (!order.includes(folder))
    return [`${path}: the folder ${folder} has no place in the order`];
  return importsOf(source).flatMap((module) => {
    if (/^cgleak(\/|$)/.test(module))
      return [`${path} imports the package itself, ${module}`];
    if (!module.startsWith('.')) return [];
    const target = join(dirname(path), module);
    const other = folderOf(target);
    if (other === folder) return [];
    const isLeft = order.includes(other) && order.indexOf(other) < order.indexOf(folder);
    return isLeft && !independent.includes(folder) ? [] : [`${path} imports ${target}`];
  });
}

function folderOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : '';
}

function sourceFiles(): string[] {
  return readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(sources, join(entry.parentPath, entry.name)));
}

test('each folder imports only what is left of it', () => {
  const files = sourceFiles();
  assert.ok(files.includes('index.ts'), 'src is there');
  const wrong = files.flatMap((path) =>
    wrongImports(path, readFileSync(join(sources, path), 'utf8')),
  );
  assert.deepEqual(wrong, []);
});

test('what breaks the order is found, however it is imported', () => {
  const wrong = [
    `import { a } from '../cli/main.js';`,
    `import type { a } from '../cli/main.js';`,
    `export * from '../cli/main.js';`,
    `const a = await import('../cli/main.js');`,
    `let a: import('../cli/main.js').A;`,
    `import 'cgleak';`,
    `import '../index.js';`,
    `import '../elsewhere/a.js';`,
  ];
  for (const source of wrong) {
    assert.equal(wrongImports('events/decode.ts', source).length, 1, source);
  }
  const right = [
    `import '../text/index.js';`,
    `import './event.js';`,
    `import 'node:fs';`,
  ];
  for (const source of right) {
    assert.deepEqual(wrongImports('events/decode.ts', source), [], source);
  }
  assert.deepEqual(wrongImports('bpf-ts/index.ts', `import '../text/index.js';`), [
    'bpf-ts/index.ts imports text/index.js',
  ]);
  assert.equal(wrongImports('news/index.ts', '').length, 1);
});
