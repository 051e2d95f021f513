// The collector’s parsers on shortened recordings of each system’s programs, the whole command with stand-ins
// for these programs, and on this machine.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMachine } from '../src/features/operations/licensing/rules.ts';
import {
  collect,
  cpuOfProc,
  detailsOfCim,
  disksOfLsblk,
  disksOfProfiler,
  macsOfNetworksetup,
  macsOfSys,
  platformOfIoreg,
} from './collect-machine.ts';

describe('collecting on Linux', () => {
  it('reads disks from lsblk, without removable disks, loops, and disks without a serial number', () => {
    expect(
      disksOfLsblk(
        '{"blockdevices":[{"name":"loop0","type":"loop","serial":null,"rm":false},{"name":"sda","type":"disk","serial":"S3Z9NB0K123456A","rm":false},{"name":"sdb","type":"disk","serial":"AA00000000000489","rm":true},{"name":"nvme0n1","type":"disk","serial":"S64DNF0R815142      ","rm":false},{"name":"vda","type":"disk","serial":null,"rm":false}]}',
      ),
    ).toEqual(['S3Z9NB0K123456A', 'S64DNF0R815142']);
    // util-linux before 2.33 writes flags as texts.
    expect(
      disksOfLsblk(
        '{"blockdevices":[{"name":"sda","type":"disk","serial":"WD-1","rm":"0"},{"name":"sdb","type":"disk","serial":"USB-1","rm":"1"}]}',
      ),
    ).toEqual(['WD-1']);
  });
  it('reads the processor from /proc/cpuinfo', () => {
    expect(
      cpuOfProc(
        'processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 85\nmodel name\t: Intel(R) Xeon(R) Gold 6226R CPU @ 2.90GHz\n',
      ),
    ).toBe('Intel(R) Xeon(R) Gold 6226R CPU @ 2.90GHz');
    expect(
      cpuOfProc(
        'processor\t: 0\nBogoMIPS\t: 108.00\n\nHardware\t: BCM2835\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n',
      ),
    ).toBe('BCM2835');
    expect(cpuOfProc('processor\t: 0\n')).toBeNull();
  });
  it('reads real network devices only', () => {
    expect(
      macsOfSys([
        { name: 'lo', address: '00:00:00:00:00:00\n', hasDevice: false },
        { name: 'eno1', address: 'B8:CA:3A:00:00:01\n', hasDevice: true },
        { name: 'docker0', address: '02:42:5e:1c:11:9a\n', hasDevice: false },
        { name: 'veth1a', address: 'fe:11:22:33:44:55\n', hasDevice: false },
        {
          name: 'ib0',
          address: 'a0:00:02:20:fe:80:00:00:00:00:00:00:e4:1d:2d:03:00:1f:5c:01\n',
          hasDevice: true,
        },
        { name: 'wlp1s0', address: '00:00:00:00:00:00\n', hasDevice: true },
      ]),
    ).toEqual(['b8:ca:3a:00:00:01']);
  });
});

describe('collecting on macOS', () => {
  it('reads the machine from ioreg', () => {
    expect(
      platformOfIoreg(
        '+-o J314sAP  <class IOPlatformExpertDevice, id 0x10000025a>\n    {\n      "IOPlatformSerialNumber" = "C02XK1ABCDEF"\n      "manufacturer" = <"Apple Inc.">\n      "IOPlatformUUID" = "5C3A0A8B-9D1F-5E2C-8A77-0123456789AB"\n    }\n',
      ),
    ).toEqual({ systemUuid: '5C3A0A8B-9D1F-5E2C-8A77-0123456789AB', systemSerial: 'C02XK1ABCDEF' });
    expect(platformOfIoreg('')).toEqual({ systemUuid: null, systemSerial: null });
  });
  it('reads built-in ports from networksetup', () => {
    expect(
      macsOfNetworksetup(
        '\nHardware Port: Ethernet Adapter (en4)\nDevice: en4\nEthernet Address: 2e:de:48:00:11:22\n\nHardware Port: Ethernet\nDevice: en0\nEthernet Address: 3C:22:FB:00:00:02\n\nHardware Port: Wi-Fi\nDevice: en1\nEthernet Address: 3c:22:fb:00:00:01\n\nHardware Port: Thunderbolt Bridge\nDevice: bridge0\nEthernet Address: 36:f2:83:00:00:00\n\nHardware Port: USB 10/100/1000 LAN\nDevice: en7\nEthernet Address: 00:e0:4c:68:00:01\n\nVLAN Configurations\n===================\n',
      ),
    ).toEqual(['3c:22:fb:00:00:01', '3c:22:fb:00:00:02']);
  });
  it('reads internal drives from system_profiler', () => {
    expect(
      disksOfProfiler(
        '{"SPNVMeDataType":[{"_items":[{"_name":"APPLE SSD AP0512Q","device_serial":"0ba0104801234567","detachable_drive":"no","removable_media":"no"}],"_name":"Apple SSD Controller"}],"SPSerialATADataType":[{"_name":"ASM","_items":[{"device_serial":" WD-WX11 ","removable_media":"no"},{"device_serial":"USB1","removable_media":"yes"}]}]}',
      ),
    ).toEqual(['0ba0104801234567', 'WD-WX11']);
    expect(disksOfProfiler('{"SPNVMeDataType":[],"SPSerialATADataType":[]}')).toEqual([]);
  });
});

describe('collecting on Windows', () => {
  it('reads lists, single values and missing ones', () => {
    expect(
      detailsOfCim(
        '\uFEFF{"board":"/5Q5RMN2/CNFCP0079E00AB/","uuid":"4C4C4544-0051-3510-8052-B4C04F4D4E32","bios":"5Q5RMN2","machineGuid":"7d2b6a1e-0000-4444-8888-aabbccddeeff","cpu":["Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz"],"macs":["B8:CA:3A:00:00:02","B8-CA-3A-00-00-01"],"disks":["0025_3848_71B0_1A2B.","     WD-WCC6Y7"]}',
      ),
    ).toEqual({
      machineId: '7d2b6a1e-0000-4444-8888-aabbccddeeff',
      systemUuid: '4C4C4544-0051-3510-8052-B4C04F4D4E32',
      systemSerial: '5Q5RMN2',
      boardSerial: '/5Q5RMN2/CNFCP0079E00AB/',
      cpu: 'Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz',
      macAddresses: ['b8:ca:3a:00:00:01', 'b8:ca:3a:00:00:02'],
      diskSerials: ['0025_3848_71B0_1A2B.', 'WD-WCC6Y7'],
    });
    expect(
      detailsOfCim(
        '{"uuid":null,"bios":"","board":null,"cpu":"AMD","machineGuid":null,"macs":null,"disks":"X1"}',
      ),
    ).toEqual({
      machineId: null,
      systemUuid: null,
      systemSerial: null,
      boardSerial: null,
      cpu: 'AMD',
      macAddresses: [],
      diskSerials: ['X1'],
    });
  });
});

const ioreg =
  '    "IOPlatformSerialNumber" = "C02XK1ABCDEF"\n    "IOPlatformUUID" = "5C3A0A8B-9D1F-5E2C-8A77-0123456789AB"\n';
const ports = 'Hardware Port: Wi-Fi\nDevice: en0\nEthernet Address: 3c:22:fb:00:00:01\n';
const drives =
  '{"SPNVMeDataType":[{"_items":[{"device_serial":"0ba0104801234567","removable_media":"no"}]}]}';
const cim =
  '{"uuid":"4C4C4544-0051-3510-8052-B4C04F4D4E32","bios":"5Q5RMN2","board":"/5Q5RMN2/CN/","cpu":["Intel(R) Core(TM) i7"],"machineGuid":"7d2b6a1e-0000-4444-8888-aabbccddeeff","macs":["B8:CA:3A:00:00:02"],"disks":["0025_3848_71B0_1A2B."]}';
type Program = { readonly name: string; readonly words: string; readonly prints: string };

/**
 * Runs the command with another `process.platform` and stand-ins for the system’s programs: each responds
 * only to the exact arguments used on that system.
 */
function runOn(platform: 'darwin' | 'win32', programs: readonly Program[]): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'collect-'));
  try {
    for (const { name, words, prints } of programs) {
      writeFileSync(join(folder, `${name}.out`), prints);
      writeFileSync(
        join(folder, name),
        `#!/bin/sh\ncase "$*" in ${words}) exec /bin/cat "${join(folder, `${name}.out`)}" ;; esac\necho "unexpected: $*" >&2\nexit 64\n`,
      );
      chmodSync(join(folder, name), 0o755);
    }
    const pretend = `data:text/javascript,Object.defineProperty(process, 'platform', { value: '${platform}' })`;
    return JSON.parse(
      execFileSync(
        process.execPath,
        ['--import', pretend, join(import.meta.dirname, 'collect-machine.ts'), '-'],
        { encoding: 'utf8', env: { PATH: folder, TMPDIR: tmpdir() } },
      ),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the collector’s command', () => {
  it('on macOS runs ioreg, sysctl, networksetup and system_profiler', () => {
    const machine = runOn('darwin', [
      { name: 'ioreg', words: "'-rd1 -c IOPlatformExpertDevice'", prints: ioreg },
      { name: 'sysctl', words: "'-n machdep.cpu.brand_string'", prints: 'Apple M1\n' },
      { name: 'networksetup', words: "'-listallhardwareports'", prints: ports },
      { name: 'system_profiler', words: "'SPNVMeDataType SPSerialATADataType -json'", prints: drives },
    ]);
    expect(machine).toMatchObject({
      platform: 'darwin',
      systemUuid: '5C3A0A8B-9D1F-5E2C-8A77-0123456789AB',
      systemSerial: 'C02XK1ABCDEF',
      cpu: 'Apple M1',
      macAddresses: ['3c:22:fb:00:00:01'],
      diskSerials: ['0ba0104801234567'],
      boardSerial: null,
    });
    expect(readMachine(JSON.stringify(machine))).toHaveProperty('machine');
  });
  it('on Windows runs PowerShell once, without a profile and without prompts', () => {
    const machine = runOn('win32', [
      {
        name: 'powershell.exe',
        words:
          '"-NoProfile -NonInteractive -Command "*Win32_ComputerSystemProduct*Win32_BIOS*Win32_BaseBoard*Win32_Processor*MachineGuid*Win32_NetworkAdapter*Win32_DiskDrive*ConvertTo-Json*',
        prints: cim,
      },
    ]);
    expect(machine).toMatchObject({
      platform: 'win32',
      machineId: '7d2b6a1e-0000-4444-8888-aabbccddeeff',
      systemUuid: '4C4C4544-0051-3510-8052-B4C04F4D4E32',
      boardSerial: '/5Q5RMN2/CN/',
      macAddresses: ['b8:ca:3a:00:00:02'],
      diskSerials: ['0025_3848_71B0_1A2B.'],
    });
    expect(readMachine(JSON.stringify(machine))).toHaveProperty('machine');
  });
  it.each(['darwin', 'win32'] as const)('on %s leaves out what no program reports', (platform) => {
    expect(runOn(platform, [])).toMatchObject({
      platform,
      systemUuid: null,
      macAddresses: [],
      diskSerials: [],
    });
  });
});

describe('collecting on this machine', () => {
  it('gives the same result twice, and the console accepts it', () => {
    const [{ collectedAt, ...first }, { collectedAt: later, ...second }] = [collect(), collect()];
    expect([first, Date.parse(collectedAt) <= Date.parse(later)]).toEqual([second, true]);
    const read = readMachine(JSON.stringify(first));
    // Some machines of continuous integration show nothing of their hardware; then only the format is
    // checked.
    if ('mistake' in read) expect(read.mistake.code).toMatch(/too_few|no_hardware/);
    else expect(read.machine.hostname).toBe(first.hostname);
  });
});
