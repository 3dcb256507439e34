import type { OwnerRow } from './owner-row.js';

const minute = 60_000_000_000n;

/** A name that a container runtime gives: 64 hex digits. */
const hex64 = '3f0a1b5c7d9e2f4a6b8c0d1e3f5a7b9c1d2e4f6a8b0c3d5e7f9a1b2c4d6e8f0a';
const uuid = '94715179-b709-3010-3b91-21c477e6fbad';
const podUid = '2f48b3a1-5c6d-4e7f-8a9b-0c1d2e3f4a5b';

/**
 * What all containers have in common: with one init, whose end ends all; with a
 * runtime that is gone as soon as it runs; and perhaps with cgroups of their own
 * below. One that is empty, itself and below, is dead.
 */
const container = {
  idKind: 'container',
  isWholeParent: true,
  outlives: true,
  ownsBelow: true,
} as const;

/** Made once, and kept for what is put below. */
const parent = { keepsEmpty: true } as const;

/**
 * Who makes cgroups, and what each keeps empty. The first row that matches
 * counts: the special go before the general, and parents after what is in them.
 *
 * Where something isn't sure, it is not said: a wrong keepsEmpty hides leaks, a
 * wrong isWholeParent gives false alarms.
 */
export const ownerRows: readonly OwnerRow[] = [
  // Nomad, https://github.com/hashicorp/nomad
  {
    // Before 1.7 the exec driver makes up a uuid for each start of a task: it is
    // that of no allocation.
    name: 'nomad',
    title: 'Nomad executor',
    patterns: ['nomad/{id:uuid}'],
    idKind: 'executor',
    ownsBelow: true,
    example: `/nomad/${uuid}`,
  },
  {
    // It stands while a task waits for its restart.
    name: 'nomad-task',
    title: 'Nomad task',
    patterns: [
      'nomad.slice/{id:uuid}.*.scope',
      'share.slice/{id:uuid}.*.scope',
      'reserve.slice/{id:uuid}.*.scope',
      'nomad/{id:uuid}.*',
      'nomad/share/{id:uuid}.*',
      'nomad/reserve/{id:uuid}.*',
      'nomad/shared/{id:uuid}.*',
      'nomad/reserved/{id:uuid}.*',
    ],
    idKind: 'alloc',
    grace: 5n * minute,
    ownsBelow: true,
    example: `/nomad.slice/share.slice/${uuid}.web.scope`,
  },
  {
    name: 'nomad-parent',
    title: 'Parents that Nomad keeps',
    patterns: [
      'nomad',
      'nomad.slice',
      'share.slice',
      'reserve.slice',
      'nomad/share',
      'nomad/reserve',
      'nomad/shared',
      'nomad/reserved',
    ],
    ...parent,
    example: '/nomad.slice/reserve.slice',
  },

  // Kata Containers, https://github.com/kata-containers/kata-containers
  {
    name: 'kata',
    title: 'Kata sandbox',
    patterns: ['kata_overhead/{id}', 'kata_{id:hex64}', 'kata/{id:hex64}'],
    ...container,
    idKind: 'sandbox',
    example: `/kata_overhead/${hex64}`,
  },
  {
    name: 'kata-parent',
    title: 'Parents that Kata keeps',
    patterns: ['kata_overhead', 'kata'],
    ...parent,
    example: '/kata_overhead',
  },

  // Monitors of containers: conmon outlives who starts it by design.
  {
    name: 'crio-conmon',
    title: 'Monitor of a CRI-O container',
    patterns: ['crio-conmon-{id:hex64}.scope', 'crio-conmon-{id:hex64}'],
    ...container,
    example: `/kubepods.slice/kubepods-pod${podUid.replaceAll('-', '_')}.slice/crio-conmon-${hex64}.scope`,
  },
  {
    name: 'podman-conmon',
    title: 'Monitor of a Podman container',
    patterns: ['libpod-conmon-{id:hex64}.scope', 'libpod-conmon-{id:hex64}'],
    ...container,
    example: `/machine.slice/libpod-conmon-${hex64}.scope`,
  },

  // Kubernetes: https://github.com/kubernetes/kubernetes, pkg/kubelet/cm
  {
    name: 'kubernetes-container',
    title: 'Container in a Kubernetes pod',
    patterns: [
      '*kubepods*-pod{uid}.slice/*{id:hex64}.scope',
      '*kubepods*-pod{uid}.slice/{id:hex64}',
      '*kubepods*-pod{uid}.slice/crio-{id:hex64}',
      'pod{uid}/{id:hex64}',
      'pod{uid}/crio-{id:hex64}',
      '*kubepods*-pod{uid}.slice:cri-containerd:{id:hex64}',
    ],
    ...container,
    example: `/kubepods/burstable/pod${podUid}/${hex64}`,
  },
  {
    // The kubelet makes it first, then waits for volumes and images.
    name: 'kubernetes-pod',
    title: 'Kubernetes pod',
    patterns: ['*kubepods*-pod{id:uid}.slice', 'pod{id:uid}'],
    idKind: 'pod',
    idForm: 'underscored',
    isWholeParent: true,
    outlives: true,
    grace: 10n * minute,
    example: `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${podUid.replaceAll('-', '_')}.slice`,
  },
  {
    name: 'kubernetes-parent',
    title: 'Parents that the kubelet keeps, one for each class of service',
    patterns: [
      'kubepods',
      'kubepods/besteffort',
      'kubepods/burstable',
      'kubelet',
      '*kubepods.slice',
      '*kubepods-besteffort.slice',
      '*kubepods-burstable.slice',
    ],
    ...parent,
    example: '/kubepods/besteffort',
  },

  // Docker: https://github.com/moby/moby
  {
    name: 'docker',
    title: 'Docker container',
    patterns: ['docker/{id:hex64}', 'docker-{id:hex64}.scope', '*:docker:{id:hex64}'],
    ...container,
    example: `/system.slice/docker-${hex64}.scope`,
  },

  // BuildKit: https://github.com/moby/buildkit
  {
    name: 'buildkit',
    title: 'Step of a BuildKit build',
    patterns: [
      'buildkit/{id}',
      '*:docker:{id}',
      '*:buildkit:{id}',
      'buildkit-{id}.scope',
    ],
    ...container,
    idKind: 'step',
    example: '/docker/buildkit/zv1yg2kzd5q0jpn4m9c7x3w8t',
  },
  {
    name: 'docker-parent',
    title: 'Parents that Docker and BuildKit keep',
    patterns: ['docker', 'buildkit'],
    ...parent,
    example: '/docker/buildkit',
  },

  // containerd: https://github.com/containerd/containerd
  {
    name: 'containerd',
    title: 'containerd container',
    patterns: [
      'k8s.io/{id}',
      'cri-containerd-{id:hex64}.scope',
      'nerdctl-{id:hex64}.scope',
      '*:cri-containerd:{id:hex64}',
      '*:nerdctl:{id:hex64}',
      'default/{id:hex64}',
      'moby/{id:hex64}',
      // ctr lets people choose the name.
      '/default/{id}',
    ],
    ...container,
    example: `/k8s.io/${hex64}`,
  },
  {
    name: 'containerd-parent',
    title: 'Parents that containerd keeps, one for each namespace',
    patterns: ['k8s.io', '/default', '/moby'],
    ...parent,
    example: '/k8s.io',
  },

  // CRI-O: https://github.com/cri-o/cri-o
  {
    name: 'crio',
    title: 'CRI-O container',
    patterns: ['crio-{id:hex64}.scope', 'crio-{id:hex64}'],
    ...container,
    example: `/system.slice/crio-${hex64}.scope`,
  },

  // Podman: https://github.com/containers/podman
  {
    name: 'podman',
    title: 'Podman container',
    patterns: [
      'libpod-{id:hex64}.scope',
      'libpod-{id:hex64}',
      'libpod-payload-{id:hex64}',
    ],
    ...container,
    example: `/machine.slice/libpod-${hex64}.scope`,
  },
  {
    // It is kept while the pod exists, running or not.
    name: 'podman-pod',
    title: 'Podman pod',
    patterns: ['*libpod_pod_{id:hex64}.slice', 'libpod_parent/{id:hex64}'],
    idKind: 'pod',
    outlives: true,
    grace: 10n * minute,
    example: `/machine.slice/machine-libpod_pod_${hex64}.slice`,
  },
  {
    name: 'podman-parent',
    title: 'Parents that Podman keeps',
    // With --cgroup-parent=/jobs the monitors are in /jobs/conmon.
    patterns: ['libpod_parent', 'conmon'],
    ...parent,
    example: '/libpod_parent/conmon',
  },

  // LXC, LXD and Incus: https://github.com/lxc/lxc, lxc.cgroup.dir in lxc.container.conf(5)
  {
    name: 'lxc-monitor',
    title: 'Monitor of an LXC, LXD or Incus container',
    patterns: ['lxc.monitor.{id}', 'lxc.monitor/{id}'],
    idKind: 'container',
    outlives: true,
    ownsBelow: true,
    example: '/lxc.monitor.web1',
  },
  {
    name: 'lxc',
    title: 'LXC, LXD or Incus container',
    patterns: ['lxc.payload.{id}', 'lxc.payload/{id}', 'lxc/{id}'],
    ...container,
    example: '/lxc.payload.web1',
  },
  {
    name: 'lxc-parent',
    title: 'Parents that LXC keeps',
    patterns: ['lxc', 'lxc.payload', 'lxc.monitor', 'lxc.pivot'],
    ...parent,
    example: '/lxc.pivot',
  },

  // libvirt: https://libvirt.org/cgroups.html
  {
    // Emulator, vcpuN and iothreadN are below.
    name: 'libvirt',
    title: 'Virtual machine or container of libvirt',
    patterns: [
      'machine-qemu\\x2d{number}\\x2d{id}.scope',
      'machine-lxc\\x2d{number}\\x2d{id}.scope',
      'qemu-{number}-{id}.libvirt-qemu',
      'lxc-{number}-{id}.libvirt-lxc',
      '{id}.libvirt-qemu',
      '{id}.libvirt-lxc',
    ],
    ...container,
    idKind: 'machine',
    idForm: 'systemd-escaped',
    example: '/machine.slice/machine-qemu\\x2d1\\x2dweb\\x2d01.scope',
  },
  {
    name: 'libvirt-parent',
    title: 'Parents that libvirt keeps',
    patterns: ['machine'],
    ...parent,
    example: '/machine',
  },
  {
    name: 'machined',
    title: 'Machine registered with systemd-machined, as by systemd-nspawn',
    patterns: ['machine-{id}.scope', 'systemd-nspawn@{id}.service'],
    ...container,
    idKind: 'machine',
    idForm: 'systemd-escaped',
    example: '/machine.slice/machine-build\\x2droot.scope',
  },

  // Slurm: https://slurm.schedmd.com/cgroup_v2.html and cgroups.html
  {
    name: 'slurm-step',
    title: 'Step or task of a Slurm job',
    patterns: [
      'job_{id:number}/step_*',
      'job_{id:number}/step_*/user',
      'job_{id:number}/step_*/slurm',
      'job_{id:number}/step_*/task_*',
      'job_{id:number}/step_*/*/task_*',
    ],
    idKind: 'job',
    grace: 2n * minute,
    ownsBelow: true,
    example: '/system.slice/slurmstepd.scope/job_4711/step_0/user/task_0',
  },
  {
    name: 'slurm-job',
    title: 'Slurm job',
    patterns: [
      'uid_{number}/job_{id:number}',
      '*slurmstepd.scope/job_{id:number}',
      'slurm/job_{id:number}',
    ],
    idKind: 'job',
    isWholeParent: true,
    grace: 5n * minute,
    ownsBelow: true,
    example: '/slurm/uid_1000/job_4711',
  },
  {
    name: 'slurm-parent',
    title: 'Parents that Slurm keeps',
    patterns: [
      'slurm',
      '/slurm_*',
      'slurm/system',
      '*slurmstepd.scope',
      '*slurmstepd.scope/system',
      'slurm/uid_{number}',
      '/slurm_*/uid_{number}',
    ],
    ...parent,
    example: '/system.slice/slurmstepd.scope',
  },

  // HTCondor: https://htcondor.readthedocs.io, BASE_CGROUP
  {
    name: 'htcondor',
    title: 'Slot of HTCondor',
    patterns: ['htcondor/{id}'],
    idKind: 'slot',
    grace: 5n * minute,
    ownsBelow: true,
    example: '/system.slice/htcondor/condor_var_lib_condor_execute_slot1_1@node7',
  },
  {
    name: 'htcondor-parent',
    title: 'The parent that HTCondor keeps',
    patterns: ['htcondor'],
    ...parent,
    example: '/htcondor',
  },

  // Garden, of Cloud Foundry and Concourse: https://github.com/cloudfoundry/guardian
  {
    // Each container has one, and is moved there while it takes too much CPU.
    name: 'garden-throttled',
    title: 'Where Garden throttles a container',
    patterns: ['garden/bad/{id}', 'garden/bad', 'garden/good'],
    ...parent,
    example: '/system.slice/garden.service/garden/bad/2f57368b-0eda-4e52-64d8-af5c',
  },
  {
    name: 'garden',
    title: 'Garden container',
    patterns: ['garden/good/{id}', 'garden/{id}'],
    ...container,
    example: '/system.slice/garden.service/garden/good/2f57368b-0eda-4e52-64d8-af5c',
  },
  {
    name: 'garden-parent',
    title: 'The parent that Garden keeps',
    patterns: ['garden'],
    ...parent,
    example: '/garden',
  },

  // OpenRC: https://github.com/OpenRC/openrc, sh/rc-cgroup.sh
  {
    // One for each service, also for those that start no daemon.
    name: 'openrc',
    title: 'OpenRC service',
    patterns: ['openrc.{id}', 'openrc_{id}', 'openrc/{id}'],
    idKind: 'service',
    keepsEmpty: true,
    outlives: true,
    ownsBelow: true,
    example: '/openrc.sshd',
  },
  {
    name: 'openrc-parent',
    title: 'Parents that OpenRC keeps',
    patterns: ['openrc', 'rc.init'],
    ...parent,
    example: '/openrc',
  },

  // elogind: https://github.com/elogind/elogind
  {
    name: 'elogind',
    title: 'Session of elogind',
    patterns: ['/{number}', '/c{number}', 'elogind/{number}', 'elogind/c{number}'],
    idKind: 'session',
    outlives: true,
    ownsBelow: true,
    example: '/c2',
  },
  {
    name: 'elogind-parent',
    title: 'The parent that elogind keeps',
    patterns: ['elogind'],
    ...parent,
    example: '/elogind',
  },

  // Desktops
  {
    name: 'snap',
    title: 'Snap',
    patterns: ['snap.*.scope', 'snap.*.service'],
    idKind: 'unit',
    outlives: true,
    ownsBelow: true,
    grace: 5n * minute,
    example:
      '/user.slice/user-1000.slice/user@1000.service/app.slice/snap.firefox.firefox-2f48b3a1-5c6d-4e7f-8a9b-0c1d2e3f4a5b.scope',
  },
  {
    name: 'flatpak',
    title: 'Flatpak',
    patterns: ['app-flatpak-{id}-{number}.scope', 'flatpak-{id}-{number}.scope'],
    idKind: 'app',
    idForm: 'systemd-escaped',
    isWholeParent: true,
    outlives: true,
    ownsBelow: true,
    example:
      '/user.slice/user-1000.slice/user@1000.service/app.slice/app-flatpak-org.gnome.Maps-4711.scope',
  },

  // systemd: https://systemd.io/CGROUP_DELEGATION, systemd.scope(5), systemd.slice(5)
  {
    name: 'systemd-session',
    title: 'Login session',
    patterns: ['session-{id}.scope'],
    idKind: 'session',
    isWholeParent: true,
    outlives: true,
    ownsBelow: true,
    example: '/user.slice/user-1000.slice/session-c3.scope',
  },
  {
    name: 'systemd-user',
    title: 'Service manager of a user',
    patterns: ['user@{id:number}.service'],
    idKind: 'uid',
    isWholeParent: true,
    outlives: true,
    ownsBelow: true,
    example: '/user.slice/user-1000.slice/user@1000.service',
  },
  {
    // Made by systemd-run and by whoever calls StartTransientUnit.
    name: 'systemd-run',
    title: 'Transient unit',
    patterns: ['run-*.scope', 'run-*.service'],
    idKind: 'unit',
    isWholeParent: true,
    outlives: true,
    ownsBelow: true,
    example: '/system.slice/run-r36c8b6b6d1b04d1d8e5bdc0ad3a1bbd9.scope',
  },
  {
    // Units that are active without process. systemd removes the cgroup of such a
    // service with its last process; but before 250 each daemon-reload makes one for
    // every active unit again (systemd pull 19886). There is one of each name, so
    // they can't pile up.
    name: 'systemd-kept',
    title: 'Units that are active without a process',
    patterns: [
      'init.scope',
      '*.mount',
      '*.automount',
      '*.swap',
      '*.socket',
      'user-runtime-dir@{number}.service',
      'modprobe@*.service',
      'ifup@*.service',
      'lvm2-pvscan@*.service',
      'systemd-backlight@*.service',
      'systemd-cryptsetup@*.service',
      'systemd-fsck@*.service',
      'systemd-growfs@*.service',
      'systemd-tmpfiles-*.service',
      'systemd-udev-trigger.service',
      'systemd-udev-settle.service',
      'systemd-update-*.service',
      ...[
        'systemd-binfmt',
        'systemd-firstboot',
        'systemd-fsck-root',
        'systemd-growfs-root',
        'systemd-hwdb-update',
        'systemd-journal-catalog-update',
        'systemd-journal-flush',
        'systemd-machine-id-commit',
        'systemd-modules-load',
        'systemd-network-generator',
        'systemd-networkd-wait-online',
        'systemd-pcrphase',
        'systemd-pstore',
        'systemd-quotacheck',
        'systemd-random-seed',
        'systemd-remount-fs',
        'systemd-rfkill',
        'systemd-sysctl',
        'systemd-sysusers',
        'systemd-user-sessions',
        'systemd-vconsole-setup',
        'alsa-restore',
        'apparmor',
        'apport',
        'binfmt-support',
        'blk-availability',
        'cloud-config',
        'cloud-final',
        'cloud-init',
        'cloud-init-local',
        'console-setup',
        'ebtables',
        'finalrd',
        'grub-common',
        'ip6tables',
        'iptables',
        'kdump',
        'kdump-tools',
        'keyboard-setup',
        'kmod-static-nodes',
        'ldconfig',
        'libvirt-guests',
        'lm-sensors',
        'lvm2-monitor',
        'netfilter-persistent',
        'networking',
        'nftables',
        'NetworkManager-wait-online',
        'openvpn',
        'plymouth-quit-wait',
        'plymouth-read-write',
        'qemu-kvm',
        'quota',
        'rc-local',
        'resolvconf',
        'setvtrgb',
        'snapd.apparmor',
        'snapd.seeded',
        'ufw',
        'vboxadd',
      ].map((service) => `${service}.service`),
    ],
    idKind: 'unit',
    keepsEmpty: true,
    outlives: true,
    example: '/system.slice/systemd-random-seed.service',
  },

  // Containers of who knows whom, before what holds for all units.
  {
    name: 'container',
    title: 'Container of a runtime that the path does not tell',
    patterns: ['*-{id:hex64}.scope', '{id:hex64}'],
    ...container,
    example: `/batch/${hex64}`,
  },
  {
    name: 'systemd-scope',
    title: 'systemd scope',
    patterns: ['*.scope'],
    idKind: 'unit',
    isWholeParent: true,
    outlives: true,
    ownsBelow: true,
    example:
      '/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-2f48b3a1-5c6d-4e7f-8a9b-0c1d2e3f4a5b.scope',
  },
  {
    // systemd makes it with the first process and removes it with the last. The name
    // can't tell whether it is one with RemainAfterExit=, see systemd-kept.
    name: 'systemd-service',
    title: 'systemd service',
    patterns: ['*.service'],
    idKind: 'unit',
    outlives: true,
    grace: 5n * minute,
    ownsBelow: true,
    example: '/system.slice/nginx.service',
  },
  {
    name: 'systemd-slice',
    title: 'systemd slice, kept for what is put in it',
    patterns: ['*.slice'],
    idKind: 'unit',
    keepsEmpty: true,
    example: '/user.slice/user-1000.slice',
  },
];
