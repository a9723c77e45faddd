import type { ExecContext } from '../exec-context';

export function showVersion({ router }: ExecContext): string[] {
  const { hostname, interfaces } = router.state;
  const physical = [...interfaces.keys()].filter((name) => name.startsWith('Gigabit')).length;
  return [
    'Cisco IOS Software, IOSv Software (VIOS-ADVENTERPRISEK9-M), Version 15.9(3)M, demo simulation',
    'This router is simulated; its command line follows IOS, its software does not come from Cisco.',
    '',
    'ROM: Bootstrap program is IOSv',
    '',
    `${hostname} uptime is ${uptime(router.bootedAt)}`,
    'System returned to ROM by reload',
    'System image file is "flash0:/vios-adventerprisek9-m"',
    '',
    'Cisco IOSv (revision 1.0) with 460009K/62464K bytes of memory.',
    `Processor board ID ${router.plan.nodeId.slice(0, 8).toUpperCase()}`,
    `${physical} Gigabit Ethernet interfaces`,
    '256K bytes of non-volatile configuration memory.',
    '',
    'Configuration register is 0x0',
    '',
  ];
}

export function showClock(): string[] {
  const now = new Date();
  const [, weekday, day, month, year] = /^(\w+), (\d+) (\w+) (\d+)/.exec(now.toUTCString()) ?? [];
  const time = now.toISOString().slice(11, 23);
  return [`*${time} UTC ${weekday} ${month} ${Number(day)} ${year}`];
}

export function showInventory({ router }: ExecContext): string[] {
  return [
    'NAME: "IOSv", DESCR: "IOSv chassis, Hw Serial#: 9DEMO, Hw Revision: 1.0"',
    `PID: IOSv              , VID: 1.0, SN: ${router.plan.nodeId.slice(0, 8).toUpperCase()}`,
    '',
  ];
}

function uptime(since: Date): string {
  const minutes = Math.floor((Date.now() - since.getTime()) / 60_000);
  const hours = Math.floor(minutes / 60);
  const part = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
  return hours === 0 ? part(minutes, 'minute') : `${part(hours, 'hour')}, ${part(minutes % 60, 'minute')}`;
}
