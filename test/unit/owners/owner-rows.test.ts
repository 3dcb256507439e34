import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createOwnerOf, ownerRows } from '../../../src/owners/index.js';

const ownerOf = createOwnerOf();
const hex = 'e9c2bc5bdf3ab9b8a1d0c4f4e0a7d5b6c3f2e1d0c9b8a7f6e5d4c3b2a1f0e9d8';
const uuid = '94715179-b709-3010-3b91-21c477e6fbad';
const uid = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
const uid_ = '6ba7b810_9dad_11d1_80b4_00c04fd430c8';
const hash = '2cb9a9e0f0a8d6d0b6b1b6a3a0e7d9c4';

/** Owner and id of a path, in one text. */
function told(path: string): string {
  const ownership = ownerOf(path);
  if (!ownership) return 'nobody';
  return ownership.id === undefined
    ? ownership.owner
    : `${ownership.owner} ${ownership.id}`;
}

/** As docs, bug reports and /proc/PID/cgroup of real hosts show them. */
const known: readonly (readonly [string, string])[] = [
  // Nomad: the report, and what its versions make.
  [`/nomad/${uuid}`, `nomad ${uuid}`],
  [`/nomad/${uuid}/executor`, `nomad ${uuid}`],
  [`/nomad/${uuid}.web`, `nomad-task ${uuid}`],
  [`/nomad/share/${uuid}.web`, `nomad-task ${uuid}`],
  [`/nomad/reserved/${uuid}.redis.cache`, `nomad-task ${uuid}`],
  [`/nomad.slice/${uuid}.redis.scope`, `nomad-task ${uuid}`],
  [`/nomad.slice/share.slice/${uuid}.web.scope`, `nomad-task ${uuid}`],
  [`/custom.slice/reserve.slice/${uuid}.a-b_c.scope`, `nomad-task ${uuid}`],
  ['/nomad', 'nomad-parent'],
  ['/nomad.slice', 'nomad-parent'],
  ['/nomad.slice/share.slice', 'nomad-parent'],
  // Docker
  [`/docker/${hex}`, `docker ${hex}`],
  [`/system.slice/docker-${hex}.scope`, `docker ${hex}`],
  [`/docker/${hex}/docker/${hex.replace('e', 'a')}`, `docker ${hex.replace('e', 'a')}`],
  [`/system.slice/docker.service/docker/${hex}`, `docker ${hex}`],
  [`/docker/${hex}/system.slice/docker-${hex}.scope`, `docker ${hex}`],
  [
    `/user.slice/user-1000.slice/user@1000.service/user.slice/docker-${hex}.scope`,
    `docker ${hex}`,
  ],
  [`/docker/${hex}/init`, `docker ${hex}`],
  [`/docker/${hex}/a/b/c`, `docker ${hex}`],
  ['/docker', 'docker-parent'],
  // BuildKit
  ['/docker/buildkit/zv1yg2kzd5q0jpn4m9c7x3w8t', 'buildkit zv1yg2kzd5q0jpn4m9c7x3w8t'],
  ['/buildkit/ks2rmhkv5g4qfmfkxx1p0h2mb', 'buildkit ks2rmhkv5g4qfmfkxx1p0h2mb'],
  [
    '/system.slice/system.slice:docker:ks2rmhkv5g4qfmfkxx1p0h2mb',
    'buildkit ks2rmhkv5g4qfmfkxx1p0h2mb',
  ],
  ['/docker/buildkit', 'docker-parent'],
  // containerd and k3s
  [`/k8s.io/${hex}`, `containerd ${hex}`],
  [`/docker/${hex}/k8s.io/${hex}`, `containerd ${hex}`],
  [`/system.slice/cri-containerd-${hex}.scope`, `containerd ${hex}`],
  [`/default/${hex}`, `containerd ${hex}`],
  ['/default/redis-server', 'containerd redis-server'],
  [`/system.slice/nerdctl-${hex}.scope`, `containerd ${hex}`],
  ['/k8s.io', 'containerd-parent'],
  // CRI-O
  [`/system.slice/crio-${hex}.scope`, `crio ${hex}`],
  [`/system.slice/crio-conmon-${hex}.scope`, `crio-conmon ${hex}`],
  [`/kubepods/besteffort/pod${uid}/crio-conmon-${hex}`, `crio-conmon ${hex}`],
  [`/kubepods/besteffort/pod${uid}/crio-${hex}`, `kubernetes-container ${hex}`],
  // Kubernetes, both drivers, static pods, kind
  [`/kubepods/burstable/pod${uid}/${hex}`, `kubernetes-container ${hex}`],
  [`/kubepods/pod${uid}/${hex}`, `kubernetes-container ${hex}`],
  [
    `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${uid_}.slice/cri-containerd-${hex}.scope`,
    `kubernetes-container ${hex}`,
  ],
  [
    `/kubepods.slice/kubepods-pod${uid_}.slice/crio-${hex}.scope`,
    `kubernetes-container ${hex}`,
  ],
  [
    `/kubepods.slice/kubepods-pod${uid_}.slice/crio-${hex}.scope/container`,
    `kubernetes-container ${hex}`,
  ],
  [
    `/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod${uid_}.slice/docker-${hex}.scope`,
    `kubernetes-container ${hex}`,
  ],
  [
    `/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-pod${uid_}.slice/cri-containerd-${hex}.scope`,
    `kubernetes-container ${hex}`,
  ],
  [
    `/system.slice/containerd.service/kubepods-burstable-pod${uid_}.slice:cri-containerd:${hex}`,
    `kubernetes-container ${hex}`,
  ],
  [`/kubepods/burstable/pod${uid}`, `kubernetes-pod ${uid}`],
  [`/kubepods/burstable/pod${hash}`, `kubernetes-pod ${hash}`],
  [
    `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${uid_}.slice`,
    `kubernetes-pod ${uid}`,
  ],
  [`/kubepods.slice/kubepods-pod${hash}.slice`, `kubernetes-pod ${hash}`],
  [`/docker/${hex}/kubelet/kubepods/besteffort/pod${uid}`, `kubernetes-pod ${uid}`],
  ['/kubepods', 'kubernetes-parent'],
  ['/kubepods.slice', 'kubernetes-parent'],
  ['/kubepods.slice/kubepods-besteffort.slice', 'kubernetes-parent'],
  ['/kubelet.slice/kubelet-kubepods.slice', 'kubernetes-parent'],
  // Podman
  [`/machine.slice/libpod-${hex}.scope`, `podman ${hex}`],
  [`/machine.slice/libpod-${hex}.scope/container`, `podman ${hex}`],
  [
    `/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-${hex}.scope`,
    `podman ${hex}`,
  ],
  [`/libpod_parent/libpod-${hex}`, `podman ${hex}`],
  [`/machine.slice/libpod-conmon-${hex}.scope`, `podman-conmon ${hex}`],
  [`/machine.slice/machine-libpod_pod_${hex}.slice/libpod-${hex}.scope`, `podman ${hex}`],
  [`/machine.slice/machine-libpod_pod_${hex}.slice`, `podman-pod ${hex}`],
  ['/libpod_parent', 'podman-parent'],
  ['/libpod_parent/conmon', 'podman-parent'],
  ['/jobs/conmon', 'podman-parent'],
  // LXC, LXD, Incus, Proxmox
  ['/lxc.payload.web1', 'lxc web1'],
  ['/lxc.payload.web1-1', 'lxc web1-1'],
  ['/lxc.payload.snapcraft_some-container', 'lxc snapcraft_some-container'],
  ['/lxc/101/ns', 'lxc 101'],
  ['/lxc.monitor.web1', 'lxc-monitor web1'],
  ['/lxc.monitor/101', 'lxc-monitor 101'],
  ['/lxc.pivot', 'lxc-parent'],
  ['/lxc', 'lxc-parent'],
  // libvirt and machined
  [
    '/machine.slice/machine-qemu\\x2d2\\x2dinstance\\x2d00000001.scope',
    'libvirt instance-00000001',
  ],
  ['/machine.slice/machine-qemu\\x2d1\\x2dvm.scope/libvirt/emulator', 'libvirt vm'],
  ['/machine.slice/machine-qemu\\x2d1\\x2dvm.scope/libvirt/vcpu0', 'libvirt vm'],
  ['/machine.slice/machine-qemu\\x2d1\\x2dvm.scope/iothread1', 'libvirt vm'],
  ['/machine/qemu-1-instance1.libvirt-qemu', 'libvirt instance1'],
  ['/machine/vm1.libvirt-qemu/vcpu1', 'libvirt vm1'],
  ['/machine', 'libvirt-parent'],
  ['/machine.slice/machine-rkt\\x2d6ff19b11.scope', 'machined rkt-6ff19b11'],
  ['/machine.slice/systemd-nspawn@deb.service/payload', 'machined deb'],
  // Kata
  [`/kata_overhead/${hex}`, `kata ${hex}`],
  [`/kubepods/burstable/pod${uid}/kata_${hex}`, `kata ${hex}`],
  [`/kata/${hex}`, `kata ${hex}`],
  ['/kata_overhead', 'kata-parent'],
  // Slurm
  ['/slurm/uid_1000/job_42', 'slurm-job 42'],
  ['/slurm_node7/uid_1000/job_42/step_batch/task_0', 'slurm-step 42'],
  ['/system.slice/slurmstepd.scope/job_211', 'slurm-job 211'],
  ['/system.slice/slurmstepd.scope/job_211/step_interactive', 'slurm-step 211'],
  ['/system.slice/slurmstepd.scope/job_211/step_extern/user/task_0', 'slurm-step 211'],
  ['/system.slice/slurmstepd.scope/job_211/step_0/slurm', 'slurm-step 211'],
  ['/system.slice/node7_slurmstepd.scope/job_3/step_0/user', 'slurm-step 3'],
  ['/system.slice/slurmstepd.scope/system', 'slurm-parent'],
  ['/system.slice/slurmstepd.scope', 'slurm-parent'],
  ['/slurm', 'slurm-parent'],
  // HTCondor
  [
    '/htcondor/condor_var_lib_condor_execute_slot1',
    'htcondor condor_var_lib_condor_execute_slot1',
  ],
  [
    '/system.slice/htcondor/condor_var_lib_condor_execute_slot1_23@node',
    'htcondor condor_var_lib_condor_execute_slot1_23@node',
  ],
  ['/htcondor', 'htcondor-parent'],
  // elogind and OpenRC
  ['/3', 'elogind 3'],
  ['/c1', 'elogind c1'],
  ['/elogind', 'elogind-parent'],
  ['/openrc.sshd', 'openrc sshd'],
  ['/openrc_mysql', 'openrc mysql'],
  ['/openrc/sshd', 'openrc sshd'],
  ['/rc.init', 'openrc-parent'],
  // snap and flatpak
  ['/system.slice/snap.lxd.daemon.service', 'snap snap.lxd.daemon.service'],
  [
    `/user.slice/user-1000.slice/user@1000.service/app.slice/snap.firefox.firefox-${uid}.scope`,
    `snap snap.firefox.firefox-${uid}.scope`,
  ],
  [
    '/user.slice/user-1000.slice/user@1000.service/app.slice/app-flatpak-org.mozilla.firefox-2345.scope',
    'flatpak org.mozilla.firefox',
  ],
  [
    '/user.slice/user-1000.slice/user@1000.service/app.slice/app-flatpak-com.a\\x2db.C-17.scope',
    'flatpak com.a-b.C',
  ],
  // Garden
  [
    '/system.slice/garden.service/garden/good/2f57368b-0eda-4e52-64d8-af5c',
    'garden 2f57368b-0eda-4e52-64d8-af5c',
  ],
  ['/garden/6c3a1d6e-7a5a-4d0d', 'garden 6c3a1d6e-7a5a-4d0d'],
  ['/garden/bad/6c3a1d6e-7a5a-4d0d', 'garden-throttled'],
  ['/garden', 'garden-parent'],
  // systemd
  ['/system.slice/nginx.service', 'systemd-service nginx.service'],
  [
    '/system.slice/system-getty.slice/getty@tty1.service',
    'systemd-service getty@tty1.service',
  ],
  ['/system.slice/k3s.service/worker', 'systemd-service k3s.service'],
  [
    '/system.slice/run-r6a1b7a8b7e0c4d5c.scope',
    'systemd-run run-r6a1b7a8b7e0c4d5c.scope',
  ],
  ['/system.slice/run-u12.service', 'systemd-run run-u12.service'],
  ['/user.slice/user-0.slice/session-12.scope', 'systemd-session 12'],
  ['/user.slice/user-1000.slice/user@1000.service', 'systemd-user 1000'],
  ['/user.slice/user-1000.slice/user@1000.service/init.scope', 'systemd-kept init.scope'],
  [
    '/user.slice/user-1000.slice/user-runtime-dir@1000.service',
    'systemd-kept user-runtime-dir@1000.service',
  ],
  [
    '/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-x.scope',
    'systemd-scope app-gnome-x.scope',
  ],
  ['/init.scope', 'systemd-kept init.scope'],
  ['/system.slice/dev-hugepages.mount', 'systemd-kept dev-hugepages.mount'],
  ['/system.slice/docker.socket', 'systemd-kept docker.socket'],
  ['/system.slice/ufw.service', 'systemd-kept ufw.service'],
  ['/user.slice', 'systemd-slice user.slice'],
  [
    '/system.slice/system-serial\\x2dgetty.slice',
    'systemd-slice system-serial\\x2dgetty.slice',
  ],
  // Whose, the path does not tell.
  [`/batch/${hex}`, `container ${hex}`],
  [`/batch.slice/thing-${hex}.scope`, `container ${hex}`],
];

test('real paths belong to their owners, with the id that these know', () => {
  for (const [path, expected] of known) assert.equal(told(path), expected, path);
});

test('each row has a real path, and its example matches it and no other', () => {
  const reached = new Set(known.map(([path]) => ownerOf(path)?.owner));
  for (const row of ownerRows) {
    assert.equal(ownerOf(row.example)?.owner, row.name, row.example);
    assert.ok(reached.has(row.name), row.name);
  }
});

test('names are labels, and there is one row of each', () => {
  const names = ownerRows.map((row) => row.name);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z][a-z0-9-]{0,62}$/);
});

test('no pattern is there twice', () => {
  const patterns = ownerRows.flatMap((row) => row.patterns);
  assert.equal(new Set(patterns).size, patterns.length);
});

test('what looks like an owner is not taken for one', () => {
  const others: readonly (readonly [string, string])[] = [
    ['/', 'nobody'],
    ['', 'nobody'],
    ['docker', 'nobody'],
    ['/dockers', 'nobody'],
    [`/docker/${hex}0`, 'nobody'],
    [`/docker/${hex.slice(1)}`, 'nobody'],
    [`/docker/${hex.toUpperCase()}`, 'nobody'],
    [
      `/system.slice/docker-${hex.slice(1)}.scope`,
      `systemd-scope docker-${hex.slice(1)}.scope`,
    ],
    [`/system.slice/docker-${hex}.scope.d`, 'nobody'],
    ['/nomad/alloc', 'nobody'],
    [`/nomad/${uuid}0`, 'nobody'],
    [`/nomads/${uuid}`, 'nobody'],
    [`/nomad.slice/${uuid}.scope`, `systemd-scope ${uuid}.scope`],
    ['/podium', 'nobody'],
    [`/pods/pod-${uid}`, 'nobody'],
    [
      `/kubepods.slice/kubepods-pod${uid_}x.slice`,
      `systemd-slice kubepods-pod${uid_}x.slice`,
    ],
    [`/system.slice/notkube-pod${uid_}.slice`, `systemd-slice notkube-pod${uid_}.slice`],
    ['/lxc.payload', 'lxc-parent'],
    ['/lxc.payloads.x', 'nobody'],
    ['/job_1/step_x1', 'slurm-step 1'],
    ['/job_x/step_0', 'nobody'],
    ['/a/job_1', 'nobody'],
    ['/a/3', 'nobody'],
    ['/a/c1', 'nobody'],
    ['/c', 'nobody'],
    ['/cgroup.service.d', 'nobody'],
    ['/a/default/redis-server', 'nobody'],
    ['/user.slice/mine', 'nobody'],
    ['/.scope', 'systemd-scope .scope'],
    ['/session-.scope', 'systemd-scope session-.scope'],
    ['/system.slice/machine-qemu\\x2dx\\x2dvm.scope', 'machined qemu-x-vm'],
  ];
  for (const [path, expected] of others) assert.equal(told(path), expected, path);
});

test('what owners keep empty on purpose is never a finding', () => {
  const kept = [
    '/nomad',
    '/docker',
    '/kubepods',
    '/kubepods/besteffort',
    '/kubepods.slice/kubepods-burstable.slice',
    '/k8s.io',
    '/lxc',
    '/machine',
    '/machine.slice',
    '/slurm',
    '/user.slice',
    '/system.slice',
    '/init.scope',
    '/openrc.hostname',
    '/libpod_parent',
    '/system.slice/tmp.mount',
  ];
  for (const path of kept) assert.equal(ownerOf(path)?.keepsEmpty, true, path);
});

test('what people on call report as leaked may be a finding', () => {
  const leaks = [
    `/nomad/${uuid}`,
    `/k8s.io/${hex}`,
    `/kubepods.slice/kubepods-pod${uid_}.slice`,
    `/kubepods/burstable/pod${uid}/${hex}`,
    '/system.slice/run-r6a1b7a8b7e0c4d5c.scope',
    '/user.slice/user-0.slice/session-12.scope',
    `/kata_overhead/${hex}`,
    '/lxc.payload.web1',
    '/system.slice/nginx.service',
    `/docker/${hex}/init`,
  ];
  for (const path of leaks) assert.equal(ownerOf(path)?.keepsEmpty, false, path);
});

test('only what dies as a whole is a finding after its children', () => {
  const whole = [
    `/kubepods/burstable/pod${uid}`,
    `/docker/${hex}`,
    '/lxc.payload.web1',
    '/slurm/uid_1000/job_42',
    '/system.slice/run-r1.scope',
  ];
  for (const path of whole) assert.equal(ownerOf(path)?.isWholeParent, true, path);
  const others = [
    '/docker',
    '/kubepods',
    '/system.slice',
    '/system.slice/docker.service',
    `/docker/${hex}/a`,
  ];
  for (const path of others) assert.equal(ownerOf(path)?.isWholeParent, false, path);
});

test('what is below a container is its, but not what makes the container special', () => {
  const pod = ownerOf(`/kubepods/pod${uid}/mine`);
  assert.equal(pod, undefined);
  const openrc = ownerOf('/openrc.sshd/mine');
  assert.deepEqual(openrc, {
    owner: 'openrc',
    idKind: 'service',
    id: 'sshd',
    keepsEmpty: false,
    isWholeParent: false,
    outlives: true,
  });
});

test("all that real Nomad 0.10.2 made is Nomad's", () => {
  const file = new URL('data/nomad-0.10.2.paths.txt', import.meta.url);
  const paths = readFileSync(file, 'utf8').trim().split('\n');
  assert.equal(paths.length, 18);
  for (const path of paths) {
    const expected = path === '/nomad' ? 'nomad-parent' : `nomad ${path.slice(7)}`;
    assert.equal(told(path), expected);
  }
});
