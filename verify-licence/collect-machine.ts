// Writes what tells this machine from others as JSON, for a licence. Reads only; sends nothing anywhere.
//   node collect-machine.ts [FILE]      writes FILE (machine.json); "-" writes to the screen
// Works on Linux, macOS and Windows. As administrator it sees more: serial numbers are often hidden from others.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { cpus, hostname } from 'node:os';
import { fileURLToPath } from 'node:url';

export type Machine = {
  readonly format: 'skytally-machine';
  readonly version: 1;
  readonly collectedAt: string;
  readonly hostname: string;
  readonly platform: string;
  readonly machineId: string | null;
  readonly systemUuid: string | null;
  readonly systemSerial: string | null;
  readonly boardSerial: string | null;
  readonly cpu: string | null;
  readonly macAddresses: readonly string[];
  readonly diskSerials: readonly string[];
};
/** What a system says of itself; the rest is the same on every system. */
export type Details = Omit<Machine, 'format' | 'version' | 'collectedAt' | 'hostname' | 'platform'>;

const nothing: Details = {
  machineId: null,
  systemUuid: null,
  systemSerial: null,
  boardSerial: null,
  cpu: null,
  macAddresses: [],
  diskSerials: [],
};
const line = (text: string | undefined): string | null =>
  text === undefined || text.trim() === '' ? null : text.trim();
const sorted = (values: readonly (string | null | undefined)[]): string[] =>
  [...new Set(values.flatMap((value) => line(value ?? undefined) ?? []))].sort();

/** `lsblk -J -d -o NAME,TYPE,SERIAL,RM`: serial numbers of disks that stay in the machine. */
export function disksOfLsblk(json: string): string[] {
  type Device = { readonly type?: string; readonly serial?: string | null; readonly rm?: boolean | string };
  const { blockdevices = [] } = JSON.parse(json) as { readonly blockdevices?: readonly Device[] };
  return sorted(
    blockdevices
      .filter(({ type, rm }) => type === 'disk' && rm !== true && rm !== '1')
      .map(({ serial }) => serial),
  );
}

/** /proc/cpuinfo: the model's name; on ARM there is only what the board calls itself. */
export function cpuOfProc(text: string): string | null {
  return line(/^model name\s*:(.*)$/m.exec(text)?.[1] ?? /^(?:Hardware|Model)\s*:(.*)$/m.exec(text)?.[1]);
}

/** Names of /sys/class/net with what stands in `address`, and whether a real device is behind each: bridges and tunnels have none. */
export function macsOfSys(
  interfaces: readonly { readonly name: string; readonly address: string; readonly hasDevice: boolean }[],
): string[] {
  return sorted(
    interfaces
      .filter(({ hasDevice }) => hasDevice)
      .map(({ address }) => address.trim().toLowerCase())
      .filter((address) => /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(address) && !/^(00:){5}00$/.test(address)),
  );
}

/** `ioreg -rd1 -c IOPlatformExpertDevice` */
export function platformOfIoreg(text: string): Pick<Details, 'systemUuid' | 'systemSerial'> {
  return {
    systemUuid: line(/"IOPlatformUUID" = "([^"]*)"/.exec(text)?.[1]),
    systemSerial: line(/"IOPlatformSerialNumber" = "([^"]*)"/.exec(text)?.[1]),
  };
}

/** `networksetup -listallhardwareports`: addresses of the ports that are built in; USB and Thunderbolt adapters come and go. */
export function macsOfNetworksetup(text: string): string[] {
  const ports = text
    .split(/\n\s*\n/)
    .filter((block) => /^Hardware Port: (Wi-Fi|Ethernet(?! Adapter)[^\n]*)$/m.test(block));
  return sorted(
    ports.map((block) => /^Ethernet Address: ([0-9a-f:]{17})$/im.exec(block)?.[1]?.toLowerCase()),
  );
}

/** `system_profiler SPNVMeDataType SPSerialATADataType -json`: serial numbers of the drives inside. */
export function disksOfProfiler(json: string): string[] {
  type Item = {
    readonly device_serial?: string;
    readonly removable_media?: string;
    readonly detachable_drive?: string;
    readonly _items?: readonly Item[];
  };
  const serials = (items: readonly Item[]): (string | undefined)[] =>
    items.flatMap((item) => [
      item.removable_media === 'yes' || item.detachable_drive === 'yes' ? undefined : item.device_serial,
      ...serials(item._items ?? []),
    ]);
  return sorted(Object.values(JSON.parse(json) as Record<string, readonly Item[]>).flatMap(serials));
}

/** What {@link powershell} writes: one object, with lists where there is more than one of a kind. */
export function detailsOfCim(json: string): Details {
  type Text = string | null;
  type Cim = {
    readonly uuid?: Text;
    readonly bios?: Text;
    readonly board?: Text;
    readonly cpu?: Text | readonly Text[];
    readonly machineGuid?: Text;
    readonly macs?: Text | readonly Text[];
    readonly disks?: Text | readonly Text[];
  };
  const read = JSON.parse(json.replace(/^\uFEFF/, '')) as Cim;
  const list = (value: Text | readonly Text[] | undefined): readonly Text[] =>
    typeof value === 'string' ? [value] : (value ?? []);
  return {
    machineId: line(read.machineGuid ?? undefined),
    systemUuid: line(read.uuid ?? undefined),
    systemSerial: line(read.bios ?? undefined),
    boardSerial: line(read.board ?? undefined),
    cpu: line(list(read.cpu)[0] ?? undefined),
    macAddresses: sorted(list(read.macs).map((mac) => mac?.replaceAll('-', ':').toLowerCase())),
    diskSerials: sorted(list(read.disks)),
  };
}

const powershell = `
$ErrorActionPreference = 'SilentlyContinue'
[Console]::OutputEncoding = [Text.Encoding]::UTF8
@{
  uuid = (Get-CimInstance Win32_ComputerSystemProduct).UUID
  bios = (Get-CimInstance Win32_BIOS).SerialNumber
  board = (Get-CimInstance Win32_BaseBoard).SerialNumber
  cpu = @(Get-CimInstance Win32_Processor | ForEach-Object { $_.Name })
  machineGuid = (Get-ItemProperty 'HKLM:\\SOFTWARE\\Microsoft\\Cryptography').MachineGuid
  macs = @(Get-CimInstance Win32_NetworkAdapter -Filter 'PhysicalAdapter = TRUE' | Where-Object { $_.MACAddress -and $_.PNPDeviceID -notlike 'ROOT\\*' -and $_.PNPDeviceID -notlike 'USB\\*' -and $_.PNPDeviceID -notlike 'BTH\\*' } | ForEach-Object { $_.MACAddress })
  disks = @(Get-CimInstance Win32_DiskDrive | Where-Object { $_.MediaType -notlike 'Removable*' -and $_.InterfaceType -ne 'USB' } | ForEach-Object { $_.SerialNumber })
} | ConvertTo-Json -Compress
`;

/** The text of a file, null when it is not there or not for us to read. */
function file(path: string): string | null {
  try {
    return line(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** What a program prints, empty when it is not there or fails: a source that is missing leaves its part out. */
function output(program: string, ...words: readonly string[]): string {
  try {
    return execFileSync(program, words, {
      encoding: 'utf8',
      timeout: 60_000,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
  } catch {
    return '';
  }
}
const from = <T>(text: string, read: (text: string) => T, otherwise: T): T =>
  text === '' ? otherwise : read(text);

function linux(): Details {
  const net = '/sys/class/net';
  const interfaces = existsSync(net)
    ? readdirSync(net).map((name) => ({
        name,
        address: file(`${net}/${name}/address`) ?? '',
        hasDevice: existsSync(`${net}/${name}/device`),
      }))
    : [];
  return {
    machineId: file('/etc/machine-id') ?? file('/var/lib/dbus/machine-id'),
    systemUuid: file('/sys/class/dmi/id/product_uuid'),
    systemSerial:
      file('/sys/class/dmi/id/product_serial') ??
      file('/sys/firmware/devicetree/base/serial-number')?.replaceAll('\0', '') ??
      null,
    boardSerial: file('/sys/class/dmi/id/board_serial'),
    cpu: cpuOfProc(file('/proc/cpuinfo') ?? ''),
    macAddresses: macsOfSys(interfaces),
    diskSerials: from(output('lsblk', '-J', '-d', '-o', 'NAME,TYPE,SERIAL,RM'), disksOfLsblk, []),
  };
}

const macos = (): Details => ({
  ...nothing,
  ...platformOfIoreg(output('ioreg', '-rd1', '-c', 'IOPlatformExpertDevice')),
  cpu: line(output('sysctl', '-n', 'machdep.cpu.brand_string')),
  macAddresses: macsOfNetworksetup(output('networksetup', '-listallhardwareports')),
  diskSerials: from(
    output('system_profiler', 'SPNVMeDataType', 'SPSerialATADataType', '-json'),
    disksOfProfiler,
    [],
  ),
});

const windows = (): Details =>
  from(
    output('powershell.exe', '-NoProfile', '-NonInteractive', '-Command', powershell),
    detailsOfCim,
    nothing,
  );

/** All that this machine says of itself. */
export function collect(): Machine {
  const details =
    process.platform === 'linux'
      ? linux()
      : process.platform === 'darwin'
        ? macos()
        : process.platform === 'win32'
          ? windows()
          : nothing;
  return {
    format: 'skytally-machine',
    version: 1,
    collectedAt: new Date().toISOString(),
    hostname: hostname(),
    platform: process.platform,
    ...details,
    cpu: details.cpu ?? line(cpus()[0]?.model),
  };
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const target = process.argv[2] ?? 'machine.json';
  const machine = collect();
  const json = `${JSON.stringify(machine, null, 2)}\n`;
  if (target === '-') process.stdout.write(json);
  else {
    writeFileSync(target, json, { mode: 0o600 });
    const found = Object.entries(machine)
      .filter(
        ([name, value]) =>
          !['format', 'version', 'collectedAt', 'platform'].includes(name) &&
          value !== null &&
          String(value) !== '',
      )
      .map(([name]) => name);
    process.stderr.write(
      `${target} written: ${found.join(', ')}.\n${machine.systemUuid === null && machine.diskSerials.length === 0 ? 'Little of the hardware can be seen: run this as administrator (root) for more.\n' : ''}`,
    );
  }
}
