import { describe, expect, it } from '@jest/globals';
import { CommandTree } from './command-tree';

const tree = new CommandTree<string>()
  .add('show interfaces', 'interfaces')
  .add('show interfaces <name:interface>', 'one interface')
  .add('show ip interface brief', 'brief')
  .add('show ip route', 'route')
  .add('show ip route <destination:address>', 'route to')
  .add('description <text:line>', 'description')
  .add('ip route <network:address> <mask:mask> <next-hop:address> <distance:number:1-255>', 'static')
  .add('ip route <network:address> <mask:mask> <next-hop:address>', 'static');

describe('CommandTree', () => {
  it.each([
    ['sh ip int br', 'brief'],
    ['SHOW IP INTERFACE BRIEF', 'brief'],
    ['  sh  int   g0/0 ', 'one interface'],
    ['sho ip ro', 'route'],
  ])('resolves the abbreviation %j', (line, action) => {
    expect(tree.match(line)).toMatchObject({ kind: 'run', action });
  });

  it('calls an abbreviation of two commands ambiguous', () => {
    expect(tree.match('sh i')).toEqual({ kind: 'ambiguous', line: 'sh i' });
  });

  it('prefers a whole word to longer words that start with it', () => {
    const words = new CommandTree<string>().add('write', 'write').add('writer', 'writer');
    expect(words.match('write')).toMatchObject({ action: 'write' });
  });

  it('calls a command without its last words incomplete', () => {
    expect(tree.match('show ip')).toEqual({ kind: 'incomplete' });
  });

  it.each([
    ['shwo ip', 2],
    ['show ip itnerface', 9],
    ['show ip route 10.0.0.300', 14],
    ['ip route 10.0.0.0 255.0.255.0 1.1.1.1', 18],
    ['ip route 10.0.0.0 255.0.0.0 1.1.1.1 256', 36],
  ])('points at the first letter of %j that does not fit', (line, column) => {
    expect(tree.match(line)).toEqual({ kind: 'invalid', column });
  });

  it.each(['gigabitethernet 0/1', 'gi0/1', 'GigabitEthernet0/1', 'g 0/1'])(
    'reads %j as an interface',
    (name) => {
      const match = tree.match(`show interfaces ${name}`);
      expect(match.kind === 'run' ? match.args.get('name') : match).toBe('GigabitEthernet0/1');
    },
  );

  it('takes the rest of the line as it stands for a line parameter', () => {
    const match = tree.match('desc to  R2, uplink# ');
    expect(match.kind === 'run' ? match.args.get('text') : match).toBe('to  R2, uplink#');
  });

  it('lists what may come next, and what a started word may become', () => {
    expect(tree.help('show ip ')).toEqual(['interface', 'route']);
    expect(tree.help('show ip route ')).toEqual(['DESTINATION', '<cr>']);
    expect(tree.help('sh')).toEqual(['show']);
  });
});
