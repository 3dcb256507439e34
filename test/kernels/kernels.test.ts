import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { buildGuestImage } from './guest-image.js';
import { kernelImage, kernels } from './kernels.js';

/** Under emulation all of it takes some 60 s on an idle host, ms. */
const bootTimeout = 900_000;

let guestImage: string | undefined;

before(() => {
  guestImage = buildGuestImage();
});

after(() => {
  if (guestImage !== undefined) rmSync(dirname(guestImage), { recursive: true });
});

for (const kernel of kernels) {
  test(
    `all is right on Linux ${kernel.version}`,
    { timeout: bootTimeout + 60_000 },
    async (t) => {
      const console = await boot(kernelImage(kernel), guestImage ?? '');
      const said = (what: string) =>
        Number(new RegExp(`^# ${what} (\\d+)`, 'm').exec(console)?.[1]);
      t.diagnostic(
        `Linux ${kernel.version}: ${said('pass')} passed, ${said('fail')} failed`,
      );
      assert.match(
        console,
        new RegExp(`kernel ${kernel.version.replace('.', '\\.')}\\.`),
        console,
      );
      assert.equal(said('fail'), 0, console);
      assert.ok(said('pass') > 0, console);
      assert.equal(said('pass'), said('tests'), console);
    },
  );
}

/** Boots the guest, under emulation, until it powers off. Returns what its console showed. */
async function boot(kernel: string, image: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'qemu-system-x86_64',
    [
      ...['-accel', 'tcg', '-cpu', 'max', '-smp', '2', '-m', '2048'],
      ...['-nographic', '-no-reboot', '-nic', 'none'],
      ...['-kernel', kernel, '-initrd', image],
      ...['-append', 'console=ttyS0 quiet panic=-1'],
    ],
    { timeout: bootTimeout, maxBuffer: 16 * 1024 * 1024 },
  );
  return stdout.replaceAll('\r', '');
}
