import { chmodSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { filesOf, hashOf } from './hash.mjs';
import { withLock } from './lock.mjs';
import { buildNeeds, findClang } from './needs.mjs';
import { nodeHeaders, requireNodeHeaders } from './node-headers.mjs';
import { areNpmPackagesFresh, installNpmPackages } from './npm-packages.mjs';
import { inProject } from './project.mjs';
import { runQuietly } from './run.mjs';
import { readStamp, removeStamp, writeStamp } from './stamp.mjs';
import { ensureSystemPackages } from './system-packages.mjs';

/** The linked objects, and the decoders made of each. */
const layouts = [
  {
    object: 'build/Release/lifecycle.bpf.o',
    layout: 'src/events/layout.generated.ts',
    types: [
      'struct:mkdir_event',
      'struct:populated_event',
      'struct:plain_event',
      'enum:event_kind',
      'enum:emptied_cause',
    ],
  },
  {
    object: 'build/Release/snapshot.bpf.o',
    layout: 'src/cgroupfs/snapshot-layout.generated.ts',
    types: ['struct:cgroup_record', 'struct:snapshot_totals'],
  },
];
const objects = layouts.map(({ object }) => object);

const versionOf = (name) => {
  const manifest = inProject('node_modules', name, 'package.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : '';
};

/**
 * A stage is fresh while its inputs and its outputs are what they were when it
 * was last run, by content: what is not, is made again, and nothing else.
 *
 * @typedef {object} Stage
 * @property {string} name of its stamp
 * @property {string} title
 * @property {readonly string[]} inputs
 * @property {() => readonly string[]} [words] what else it depends on
 * @property {readonly string[]} outputs
 * @property {(isFirst: boolean) => Promise<void>} run
 */

/** @type {readonly Stage[]} */
const stages = [
  {
    name: 'native',
    title: 'Compiling the BPF programs and the native addon',
    inputs: [
      'binding.gyp',
      'bpf',
      'native',
      'scripts/native-config.mjs',
      'scripts/embed.mjs',
    ],
    words: () => [
      process.arch,
      process.versions.modules,
      nodeHeaders() ?? '',
      versionOf('node-gyp'),
      versionOf('node-addon-api'),
    ],
    outputs: [
      'build/Release/bpf_ts.node',
      'build/Release/cgleak_objects.node',
      'build/Release/cgroupfs.node',
      ...objects,
    ],
    run: compileNative,
  },
  {
    name: 'layout',
    title: 'Generating the decoders',
    inputs: [...objects, 'src/bpf-ts/btf', 'scripts/generate-layout.ts'],
    words: () => layouts.flatMap(({ types }) => types),
    outputs: layouts.map(({ layout }) => layout),
    run: generateLayout,
  },
  {
    name: 'typescript',
    title: 'Compiling TypeScript',
    inputs: [
      ...['src', 'tsconfig.json', 'package.json', 'package-lock.json'],
      'scripts/lib/build.mjs',
    ],
    outputs: ['dist'],
    run: compileTypeScript,
  },
];

const inputsOf = (stage) => hashOf(stage.inputs, stage.words?.());
const outputsOf = (stage) => hashOf(stage.outputs);

function isFresh(stage) {
  const stamp = readStamp(stage.name);
  return stamp?.inputs === inputsOf(stage) && stamp.outputs === outputsOf(stage);
}

/**
 * Sets up and builds what is not up to date; says nothing where all is.
 * @throws {SetupError}
 */
export async function ensureBuilt() {
  const havePackages = areNpmPackagesFresh();
  if (havePackages && stages.every(isFresh)) return;
  if (!havePackages || !isFresh(stages[0])) {
    await ensureSystemPackages(buildNeeds, 'to build');
    requireNodeHeaders();
  }
  await withLock(inProject('build/lock'), async () => {
    // Another build may have done it all meanwhile.
    if (!areNpmPackagesFresh()) {
      await timed('Installing npm packages', installNpmPackages);
    }
    for (const stage of stages) {
      if (isFresh(stage)) continue;
      await timed(stage.title, async () => {
        const stamp = readStamp(stage.name);
        const inputs = inputsOf(stage);
        removeStamp(stage.name);
        await stage.run(stamp === undefined || stamp.inputs === inputs);
        // What was edited meanwhile makes the stage stale again.
        writeStamp(stage.name, inputs, outputsOf(stage));
      });
    }
  });
}

async function timed(title, action) {
  const start = Date.now();
  console.error(`${title} …`);
  await action();
  const seconds = (Date.now() - start) / 1000;
  if (seconds >= 2) console.error(`  done in ${seconds.toFixed(0)} s`);
}

/** Only what has changed, by make; all of it where its outputs can't be trusted. */
async function compileNative(fromScratch) {
  if (fromScratch) {
    for (const name of readdirSync(inProject('build'))) {
      if (!['lock', 'stamps'].includes(name)) {
        rmSync(inProject('build', name), { recursive: true });
      }
    }
  }
  await runQuietly(
    process.execPath,
    [
      inProject('node_modules/node-gyp/bin/node-gyp.js'),
      ...['configure', 'build', `--nodedir=${requireNodeHeaders()}`, '--jobs=max'],
    ],
    'The native part does not compile; the output above says why.',
    { env: { CLANG: findClang() } },
  );
}

async function generateLayout() {
  for (const { object, layout, types } of layouts) {
    await runQuietly(
      process.execPath,
      ['--import', 'tsx', 'scripts/generate-layout.ts', object, layout, ...types],
      'The decoders of the BPF records could not be generated.',
    );
  }
}

async function compileTypeScript() {
  await runQuietly(
    process.execPath,
    [inProject('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'],
    'TypeScript found errors.',
  );
  removeStaleOutputs();
  await bundleCommand();
  chmodSync(inProject('dist/cli/main.js'), 0o755);
}

/**
 * Makes one file of the command's own modules: it starts faster, and where few files
 * may be open at once.
 */
async function bundleCommand() {
  // It is there only once the npm packages are.
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: inProject('.'),
    entryPoints: ['src/cli/main.ts'],
    outfile: 'dist/cli/main.js',
    bundle: true,
    sourcemap: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
}

/** Takes from dist what has no source any more. */
function removeStaleOutputs() {
  const sources = new Set(
    filesOf('src').map((path) => path.slice('src/'.length).replace(/\.ts$/, '')),
  );
  for (const path of filesOf('dist')) {
    const stem = path.slice('dist/'.length).replace(/\.(js|js\.map|d\.ts)$/, '');
    if (!sources.has(stem)) rmSync(inProject(path));
  }
}
