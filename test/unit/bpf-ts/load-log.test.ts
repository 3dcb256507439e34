import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explanation, refusedProgram } from '../../../src/bpf-ts/load-log.js';

/** As libbpf 1.1 says it; later versions say the error's name instead of its number. */
function verifierLog(last: string): string {
  return `libbpf: prog 'on_first': something of no importance
libbpf: prog 'on_mkdir': BPF program load failed: Permission denied
libbpf: prog 'on_mkdir': -- BEGIN PROG LOAD LOG --
0: R1=ctx() R10=fp0
; return *count; @ some.bpf.c:33
7: (79) r0 = *(u64 *)(r0 +0)
R0 invalid mem access 'map_value_or_null'
processed 7 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0
-- END PROG LOAD LOG --
${last}`;
}

const missingType = `libbpf: failed to find valid kernel BTF
libbpf: prog 'on_exit': failed to find kernel BTF type ID of 'no_such': -3
libbpf: prog 'on_exit': failed to prepare load attributes: -3
libbpf: prog 'on_exit': failed to load: -3
libbpf: failed to load object 'cgleak'
`;

const noRights = `libbpf: Error in bpf_object__probe_loading():Operation not permitted(1). Couldn't load trivial BPF program. Make sure your kernel supports BPF (CONFIG_BPF_SYSCALL=y) and/or that RLIMIT_MEMLOCK is set to big enough value.
libbpf: failed to load object 'cgleak'
`;

describe('refusedProgram', () => {
  it('is the program that libbpf gave up on', () => {
    for (const last of [
      "libbpf: prog 'on_mkdir': failed to load: -13\nlibbpf: failed to load object 'cgleak'\n",
      "libbpf: prog 'on_mkdir': failed to load: -EACCES\nlibbpf: failed to load object 'cgleak'\n",
    ])
      assert.equal(refusedProgram(verifierLog(last)), 'on_mkdir');
    assert.equal(refusedProgram(missingType), 'on_exit');
  });

  it('is none where the object as a whole was refused', () => {
    assert.equal(refusedProgram(noRights), undefined);
    assert.equal(refusedProgram(''), undefined);
  });
});

describe('explanation', () => {
  it('is the verdict of the verifier', () => {
    const verdict = "R0 invalid mem access 'map_value_or_null'";
    assert.equal(
      explanation(verifierLog("libbpf: prog 'on_mkdir': failed to load: -13")),
      verdict,
    );
  });

  it('is what libbpf says last that is not commonplace', () => {
    assert.equal(
      explanation(missingType),
      "prog 'on_exit': failed to find kernel BTF type ID of 'no_such': -3",
    );
    assert.equal(explanation(noRights), undefined);
    assert.equal(explanation("libbpf: failed to load object 'cgleak'\n"), undefined);
    assert.equal(explanation(''), undefined);
  });
});
