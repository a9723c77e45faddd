const INTERFACE_TYPES = ['GigabitEthernet', 'Loopback'] as const;

/** `g0/0`, `Gi0/0`, `gigabitethernet0/0` -> `GigabitEthernet0/0`; undefined when no such type exists. */
export function readInterfaceName(text: string): string | undefined {
  const match = /^([a-z]+)(\d+(?:\/\d+){0,2})$/i.exec(text);
  const [, typed, numbers] = match ?? [];
  if (!typed || !numbers) return undefined;
  const types = INTERFACE_TYPES.filter((type) => type.toLowerCase().startsWith(typed.toLowerCase()));
  const type = types[0];
  if (!type || (type === 'Loopback') === numbers.includes('/')) return undefined;
  return `${type}${numbers}`;
}

/** `GigabitEthernet0/0` -> `Gig 0/0`, the form of neighbour tables. */
export function neighbourTableName(name: string): string {
  return name.replace('GigabitEthernet', 'Gig ').replace('Ethernet', 'Eth ');
}

export function isLoopback(name: string): boolean {
  return name.startsWith('Loopback');
}
