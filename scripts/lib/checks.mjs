import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { filesOf } from './hash.mjs';
import { findLlvmTool } from './needs.mjs';
import { nodeHeaders } from './node-headers.mjs';
import { inProject, project } from './project.mjs';
import { run, runQuietly } from './run.mjs';

/**
 * A check of the sources. Its problems are the text that says what is wrong,
 * empty where nothing is.
 *
 * @typedef {object} Check
 * @property {string} title
 * @property {() => Promise<string>} problems
 */

const bin = (name, path) => [process.execPath, inProject('node_modules', name, path)];

/** What a command says, where it fails. */
async function problemsOf([command, ...args]) {
  const { code, output } = await run(command, args);
  if (code === 0) return '';
  return output.trim() || `${command} ended with ${code}`;
}

const isC = (path) => /\.(c|cc|h)$/.test(path);
const cFolders = ['bpf', 'native', 'examples', 'test/bpf', 'test/support'];
/** All C and C++ files of the project. */
export const cFiles = () => cFolders.flatMap(filesOf).filter(isC);

/** Runs clang-tidy over files one by one, as many at once as there are CPUs. */
async function tidy(files, flags) {
  const clangTidy = findLlvmTool('clang-tidy');
  const waiting = [...files];
  const problems = [];
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      problems.push(await problemsOf([clangTidy, '--quiet', file, '--', ...flags]));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return problems.filter(Boolean).join('\n');
}

async function nativeSetting(name) {
  const args = [inProject('scripts/native-config.mjs'), name];
  const failure = `native-config.mjs gives no ${name}.`;
  return (await runQuietly(process.execPath, args, failure)).trim();
}

async function tidyAddon() {
  const files = filesOf('native').filter((path) => path.endsWith('.cc'));
  return tidy(files, [
    '-std=c++17',
    ...['-isystem', `${nodeHeaders()}/include/node`],
    ...['-isystem', inProject('node_modules/node-addon-api')],
    '-Ibpf',
    ...['-DNAPI_VERSION=8', '-DNAPI_CPP_EXCEPTIONS', '-DBUILDING_NODE_EXTENSION'],
    '-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
  ]);
}

async function tidyBpf() {
  const files = cFiles().filter((path) => path.endsWith('.bpf.c'));
  return tidy(files, [
    ...['--target=bpf', '-O2', '-g', '-Ibpf'],
    `-D__TARGET_ARCH_${await nativeSetting('target-arch')}`,
    `-I${await nativeSetting('system-include')}`,
  ]);
}

/** What is made by the build, or by hand for a while, and never belongs to the tree. */
const notForTheTree =
  /(^|\/)(build|dist|node_modules)\/|\.(o|node|so|log|tmp|orig|rej|swp|tgz)$|~$|\.generated\.\w+$|(^|\/)(vmlinux\.h|core|\.DS_Store)$/;

async function trackedFiles() {
  const { code, output } = await run('git', [
    ...['-c', `safe.directory=${project}`, 'ls-files', '--full-name', '-z'],
  ]);
  // Without git, as from an archive, there is nothing that could be tracked.
  return code === 0 ? output.split('\0').filter(Boolean) : [];
}

async function scratchFiles() {
  const tracked = await trackedFiles();
  return tracked
    .filter((path) => notForTheTree.test(path))
    .map((path) => `${path} is in the tree, and is made by the build or only for a while`)
    .join('\n');
}

/** Which licence a file's first lines have to name, by its folder. */
const licences = {
  bpf: 'GPL-2.0-only OR MIT',
  native: 'MIT',
  'test/bpf': 'GPL-2.0-only OR MIT',
};

function licenceLines() {
  const problems = Object.entries(licences).flatMap(([folder, licence]) =>
    filesOf(folder)
      .filter(isC)
      .filter((path) => {
        const [first] = readFileSync(inProject(path), 'utf8').split('\n');
        const [, named] =
          /SPDX-License-Identifier: ([\w. -]+?)\s*(\*\/)?$/.exec(first) ?? [];
        return named !== licence;
      })
      .map(
        (path) => `${path}: its first line is not SPDX-License-Identifier: ${licence}`,
      ),
  );
  return problems.join('\n');
}

/** @type {readonly Check[]} */
export const checks = [
  {
    title: 'format of TypeScript and text (Prettier)',
    problems: () =>
      problemsOf([
        ...bin('prettier', 'bin/prettier.cjs'),
        '--log-level=warn',
        '--check',
        '.',
      ]),
  },
  {
    title: 'lint of TypeScript (ESLint)',
    problems: () =>
      problemsOf([...bin('eslint', 'bin/eslint.js'), '--max-warnings=0', '.']),
  },
  {
    title: 'types of sources, tests and benches (tsc)',
    problems: () =>
      problemsOf([...bin('typescript', 'bin/tsc'), '-p', 'test/tsconfig.json']),
  },
  {
    title: 'format of C and C++ (clang-format)',
    problems: () =>
      problemsOf([findLlvmTool('clang-format'), '--dry-run', '-Werror', ...cFiles()]),
  },
  { title: 'lint of BPF C (clang-tidy)', problems: tidyBpf },
  { title: 'lint of C++ (clang-tidy)', problems: tidyAddon },
  { title: 'no generated or scratch file in the tree', problems: scratchFiles },
  { title: 'a licence in each C and C++ file', problems: async () => licenceLines() },
];

/**
 * Runs all checks, and says of each whether it holds.
 * @returns {Promise<{ passed: number, failed: readonly string[] }>}
 */
export async function runChecks() {
  const failed = [];
  for (const { title, problems } of checks) {
    const start = Date.now();
    const found = await problems();
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.log(`${found ? '✖' : '✔'} ${title} (${seconds} s)`);
    if (found) {
      console.log(found.replace(/^(?=.)/gm, '    '));
      failed.push(title);
    }
  }
  return { passed: checks.length - failed.length, failed };
}
