import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, describe, it } from 'node:test';
import {
  BpfError,
  BpfLoadError,
  openObject,
  type BpfObject,
} from '../../src/bpf-ts/index.js';
import { compileBpf } from '../bpf/compile-bpf.js';
import { renameSelf } from '../bpf/rename-self.js';

let records: Buffer;
let refused: Buffer;

before(() => {
  records = compileBpf('records.bpf.c');
  refused = compileBpf('refused.bpf.c');
});

/** Opens, does, and closes in any case. */
function using<Result>(bytes: Uint8Array, action: (object: BpfObject) => Result): Result {
  const object = openObject(bytes, { name: 'test' });
  try {
    return action(object);
  } finally {
    object.close();
  }
}

function bpfError(code: string, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof BpfError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}

describe('openObject', () => {
  it('lists the programs and maps of an object', () => {
    using(records, (object) => {
      assert.deepEqual(object.programs, [
        { name: 'on_rename', section: 'raw_tp/task_rename', type: 'raw_tracepoint' },
      ]);
      assert.deepEqual(
        object.maps.find(({ name }) => name === 'numbers'),
        { name: 'numbers', type: 'hash', keySize: 4, valueSize: 8, maxEntries: 64 },
      );
      assert.deepEqual(
        object.maps.map(({ name }) => name).sort(),
        ['buffers', 'lost', 'numbers', 'per_cpu', 'records', 'seen']
          .concat(['test.rodata', 'test.data', 'test.bss'])
          .sort(),
      );
    });
  });

  it('refuses what is no object, with the words of libbpf', () => {
    for (const bytes of [
      new Uint8Array(0),
      Buffer.from('no object'),
      records.subarray(0, 100),
    ])
      assert.throws(
        () => openObject(bytes),
        (error) => {
          assert.ok(error instanceof BpfLoadError);
          assert.match(error.message, /no BPF object/);
          return true;
        },
      );
  });
});

describe('globals', () => {
  it('reach the program with their size and sign', () => {
    using(records, (object) => {
      object.setGlobal('watched', process.pid);
      object.setGlobal('large', 0xfedc_ba98_7654_3210n);
      object.setGlobal('negative', -32768);
      object.setGlobal('small', 255);
      object.setGlobal('flag', true);
      object.setGlobal('text', Buffer.from('changed\0'));
      object.setGlobal('in_data', 42);
      object.setGlobal('in_bss', 43n);
      object.load();
      object.attach('on_rename');
      renameSelf();
      const seen = object.map('seen').lookup(new Uint8Array(4));
      assert.ok(seen);
      const view = new DataView(seen.buffer, seen.byteOffset);
      assert.equal(view.getBigUint64(0, true), 0xfedc_ba98_7654_3210n);
      assert.equal(view.getBigUint64(8, true), 42n);
      assert.equal(view.getBigUint64(16, true), 43n);
      assert.equal(view.getInt16(24, true), -32768);
      assert.equal(view.getUint8(26), 255);
      assert.equal(view.getUint8(27), 1);
      assert.equal(Buffer.from(seen.subarray(28, 36)).toString('latin1'), 'changed\0');
    });
  });

  it('keep their values from the source where they are not set', () => {
    using(records, (object) => {
      object.setGlobal('watched', process.pid);
      object.load();
      object.attach('on_rename');
      renameSelf();
      const seen = object.map('seen').lookup(new Uint8Array(4));
      assert.ok(seen);
      assert.equal(Buffer.from(seen.subarray(28, 34)).toString('latin1'), 'before');
      assert.equal(new DataView(seen.buffer, seen.byteOffset).getBigUint64(8, true), 7n);
    });
  });

  it('that do not fit are refused, and unknown ones with the names that there are', () => {
    using(records, (object) => {
      const refusals: [string, number | bigint | boolean | Uint8Array, RegExp][] = [
        ['small', 256, /small has 8 bits, unsigned: 256 does not fit/],
        ['small', -1, /-1 does not fit/],
        ['negative', 32768, /16 bits, signed/],
        ['large', 1n << 64n, /does not fit/],
        ['small', 1.5, /takes integers/],
        ['flag', 2, /flag is a bool/],
        ['text', 1, /text is no integer: give its 8 bytes/],
        ['text', new Uint8Array(7), /text has 8 bytes, not 7/],
      ];
      for (const [name, value, message] of refusals)
        assert.throws(
          () => {
            object.setGlobal(name, value);
          },
          bpfError('EINVAL', message),
        );
      assert.throws(
        () => {
          object.setGlobal('smal', 1);
        },
        bpfError('ENOENT', /no global variable smal\. It has: .*in_data.*watched.*small/),
      );
    });
  });
});

describe('load', () => {
  it('fails with the program and the log of the verifier', () => {
    using(refused, (object) => {
      for (const program of ['no_type', 'locked_down'])
        object.setAutoload(program, false);
      assert.throws(
        () => {
          object.load();
        },
        (error) => {
          assert.ok(error instanceof BpfLoadError);
          assert.equal(error.code, 'EACCES');
          assert.equal(error.errno, 13);
          assert.equal(error.program, 'unchecked');
          assert.match(
            error.message,
            /refused unchecked \(EACCES\): R0 invalid mem access/,
          );
          assert.match(error.log, /return \*count/);
          assert.match(error.log, /processed \d+ insns/);
          return true;
        },
      );
      assert.throws(
        () => {
          object.load();
        },
        bpfError('EBUSY', /./),
      );
    });
  });

  it('comes after settings and before maps, rings and attaching', () => {
    using(records, (object) => {
      const early = [
        () => object.attach('on_rename'),
        () => object.map('numbers').lookup(new Uint8Array(4)),
        () => object.ringBuffer('records', () => undefined),
      ];
      for (const act of early)
        assert.throws(act, bpfError('EINVAL', /call load\(\) first|attached/));
      object.setMaxEntries('numbers', 5);
      object.setMaxEntries('records', 5000);
      object.load();
      assert.equal(object.map('numbers').maxEntries, 5);
      // A ring is a power of two of pages.
      assert.equal(object.map('records').maxEntries, 8192);
      const late = [
        () => {
          object.setGlobal('small', 1);
        },
        () => {
          object.setMaxEntries('numbers', 6);
        },
        () => {
          object.setAutoload('on_rename', false);
        },
        () => {
          object.load();
        },
      ];
      for (const act of late) assert.throws(act, bpfError('EBUSY', /./));
    });
  });

  it('leaves out what setAutoload says', () => {
    using(refused, (object) => {
      for (const { name } of object.programs)
        object.setAutoload(name, name === 'on_rename');
      object.load();
      object.attach('on_rename');
      assert.throws(() => object.attach('unchecked'), bpfError('EINVAL', /unchecked/));
    });
  });
});

describe('extern variables', () => {
  it('have the values of the kernel’s configuration, which libbpf reads with zlib', () => {
    using(compileBpf('kernel-config.bpf.c'), (object) => {
      object.load();
      object.attach('on_rename');
      renameSelf();
      const hertz = object.map('hertz').lookup(new Uint8Array(4));
      const configuration = execFileSync('sh', [
        '-c',
        'zcat /proc/config.gz || cat /boot/config-$(uname -r)',
      ]);
      const [, expected] = /^CONFIG_HZ=(\d+)$/m.exec(configuration.toString()) ?? [];
      assert.ok(expected && hertz);
      assert.equal(
        new DataView(hertz.buffer, hertz.byteOffset).getUint32(0, true),
        +expected,
      );
    });
  });
});

describe('attach', () => {
  it('lasts until its link is closed', () => {
    using(records, (object) => {
      object.setGlobal('watched', process.pid);
      object.load();
      const sequence = () => {
        const bss = object.map('test.bss').lookup(new Uint8Array(4));
        return bss && new DataView(bss.buffer, bss.byteOffset).getBigUint64(8, true);
      };
      const link = object.attach('on_rename');
      assert.equal(link.program, 'on_rename');
      renameSelf(3);
      const whileAttached = sequence();
      link.close();
      link.close();
      renameSelf(3);
      assert.equal(whileAttached, 3n);
      assert.equal(sequence(), 3n);
    });
  });

  it('fails with the reason', () => {
    using(refused, (object) => {
      for (const { name } of object.programs)
        object.setAutoload(name, name === 'no_hook');
      object.load();
      assert.throws(
        () => object.attach('no_hook'),
        bpfError(
          'ENOENT',
          /no_hook could not be attached \(ENOENT\): .*no_such_tracepoint/,
        ),
      );
    });
  });

  it('names the programs that there are', () => {
    using(records, (object) => {
      object.load();
      assert.throws(
        () => object.attach('nothing'),
        bpfError('ENOENT', /It has: on_rename\./),
      );
    });
  });
});

describe('values of the wrong type', () => {
  it('are errors, whatever the compiler was told', () => {
    using(records, (object) => {
      object.load();
      const numbers = object.map('numbers');
      for (const wrong of [
        undefined,
        null,
        5,
        'key',
        {},
        new DataView(new ArrayBuffer(4)),
      ]) {
        const bytes = wrong as Uint8Array;
        assert.throws(() => numbers.lookup(bytes), Error);
        assert.throws(() => numbers.delete(bytes), Error);
        assert.throws(() => {
          numbers.update(new Uint8Array(4), bytes);
        }, Error);
        assert.throws(() => openObject(bytes), Error);
      }
    });
  });
});

describe('close', () => {
  it('ends all: later use throws', () => {
    const object = openObject(records);
    object.load();
    const link = object.attach('on_rename');
    const map = object.map('numbers');
    const ring = object.ringBuffer('records', () => undefined);
    object.close();
    object.close();
    link.close();
    ring.close();
    const key = new Uint8Array(4);
    const later = [
      () => object.attach('on_rename'),
      () => object.map('numbers'),
      () => object.ringBuffer('records', () => undefined),
      () => {
        object.load();
      },
      () => {
        object.setGlobal('small', 1);
      },
      () => map.lookup(key),
      () => {
        map.update(key, new Uint8Array(8));
      },
      () => map.delete(key),
      () => [...map.entries()],
      () => {
        ring.flush();
      },
      () => {
        ring.pause();
      },
      () => {
        ring.resume();
      },
      () => ring.unref(),
    ];
    for (const act of later) assert.throws(act, bpfError('EBADF', /closed/));
  });
});
