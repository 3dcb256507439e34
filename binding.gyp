{
  'variables': {
    'clang_for_bpf': '<!(node scripts/native-config.mjs clang)',
    'bpf_target_arch': '<!(node scripts/native-config.mjs target-arch)',
    'system_include': '<!(node scripts/native-config.mjs system-include)',
    'bpf_sources': ['<!@(node scripts/native-config.mjs sources)'],
    'bpf_headers': ['<!@(node scripts/native-config.mjs headers)'],
  },
  'target_defaults': {
    'cflags_cc': ['-std=c++17', '-Wall', '-Wextra', '-fvisibility=hidden'],
    'cflags_cc!': ['-std=gnu++17', '-std=gnu++20'],
    'ldflags': ['-Wl,-z,now'],
  },
  'targets': [
    {
      'target_name': 'bpf_ts',
      'sources': [
        'native/bpf-ts/addon.cc',
        'native/bpf-ts/clock.cc',
        'native/bpf-ts/errors.cc',
        'native/bpf-ts/globals.cc',
        'native/bpf-ts/iterate.cc',
        'native/bpf-ts/maps.cc',
        'native/bpf-ts/messages.cc',
        'native/bpf-ts/object.cc',
        'native/bpf-ts/ring.cc',
      ],
      'dependencies': [
        "<!(node -p \"require('node-addon-api').targets\"):node_addon_api_except",
      ],
      'defines': ['NAPI_VERSION=8', 'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS'],
      'libraries': ['<!@(node scripts/native-config.mjs libbpf)'],
    },
    {
      # Runs within the build only.
      'target_name': 'bpf_linker',
      'type': 'executable',
      'sources': ['native/linker/link.cc'],
      'libraries': ['-l:libbpf.a', '-lelf', '-lz'],
    },
    {
      'target_name': 'bpf_objects',
      'type': 'none',
      'dependencies': ['bpf_linker'],
      'sources': ['<@(bpf_sources)'],
      'rules': [
        {
          'rule_name': 'compile_bpf',
          'extension': 'c',
          'inputs': ['<@(bpf_headers)', 'binding.gyp'],
          'outputs': ['<(INTERMEDIATE_DIR)/<(RULE_INPUT_ROOT).o'],
          'message': 'BPF <(RULE_INPUT_PATH)',
          'action': [
            '<(clang_for_bpf)',
            '-O2',
            '-g',
            '-Wall',
            '-Wextra',
            '-Wno-unused-parameter',
            '--target=bpf',
            '-ffile-prefix-map=<(module_root_dir)/=',
            '-D__TARGET_ARCH_<(bpf_target_arch)',
            '-Ibpf',
            '-I<(system_include)',
            '-c',
            '<(RULE_INPUT_PATH)',
            '-o',
            '<@(_outputs)',
          ],
        },
      ],
      'actions': [
        {
          'action_name': 'link_lifecycle',
          'inputs': [
            '<(PRODUCT_DIR)/bpf_linker',
            "<!@(node scripts/native-config.mjs objects lifecycle '<(INTERMEDIATE_DIR)')",
          ],
          'outputs': ['<(PRODUCT_DIR)/lifecycle.bpf.o'],
          'message': 'BPF link lifecycle.bpf.o',
          'action': [
            '<(PRODUCT_DIR)/bpf_linker',
            '<@(_outputs)',
            "<!@(node scripts/native-config.mjs objects lifecycle '<(INTERMEDIATE_DIR)')",
          ],
        },
        {
          'action_name': 'link_snapshot',
          'inputs': [
            '<(PRODUCT_DIR)/bpf_linker',
            "<!@(node scripts/native-config.mjs objects snapshot '<(INTERMEDIATE_DIR)')",
          ],
          'outputs': ['<(PRODUCT_DIR)/snapshot.bpf.o'],
          'message': 'BPF link snapshot.bpf.o',
          'action': [
            '<(PRODUCT_DIR)/bpf_linker',
            '<@(_outputs)',
            "<!@(node scripts/native-config.mjs objects snapshot '<(INTERMEDIATE_DIR)')",
          ],
        },
        {
          'action_name': 'embed',
          'inputs': [
            'scripts/embed.mjs',
            '<(PRODUCT_DIR)/lifecycle.bpf.o',
            '<(PRODUCT_DIR)/snapshot.bpf.o',
          ],
          'outputs': ['<(SHARED_INTERMEDIATE_DIR)/objects.S'],
          'action': [
            'node',
            'scripts/embed.mjs',
            '<@(_outputs)',
            'lifecycle=<(PRODUCT_DIR)/lifecycle.bpf.o',
            'snapshot=<(PRODUCT_DIR)/snapshot.bpf.o',
          ],
        },
      ],
    },
    {
      'target_name': 'cgleak_objects',
      'dependencies': [
        'bpf_objects',
        "<!(node -p \"require('node-addon-api').targets\"):node_addon_api_except",
      ],
      'defines': ['NAPI_VERSION=8'],
      'sources': ['native/objects/objects.cc', '<(SHARED_INTERMEDIATE_DIR)/objects.S'],
    },
    {
      # Looks at cgroups' directories where BPF can't.
      'target_name': 'cgroupfs',
      'dependencies': [
        "<!(node -p \"require('node-addon-api').targets\"):node_addon_api_except",
      ],
      'defines': ['NAPI_VERSION=8', 'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS'],
      'include_dirs': ['bpf'],
      'sources': ['native/cgroupfs/addon.cc', 'native/cgroupfs/walk.cc'],
    },
  ],
}
