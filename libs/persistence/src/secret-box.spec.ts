import { describe, expect, it } from '@jest/globals';
import { SecretBox, SecretUnreadableError } from './secret-box';

const OLD = 'the old key, long enough';
const NEW = 'the new key, long enough'.replace(',', ';');

describe('SecretBox', () => {
  it('opens what it sealed', () => {
    const box = new SecretBox('one key of sixteen');
    expect(box.open(box.seal('sk-1 é', 'config'), 'config')).toBe('sk-1 é');
  });

  it('never seals alike twice', () => {
    const box = new SecretBox('one key of sixteen');
    expect(box.seal('sk', 'config')).not.toBe(box.seal('sk', 'config'));
  });

  it('opens with every key of its list and seals with the first', () => {
    const old = OLD.replace(',', ';');
    const sealed = new SecretBox(old).seal('sk', 'c');
    const rotated = new SecretBox(`${NEW},${old}`);
    expect(rotated.open(sealed, 'c')).toBe('sk');
    expect(new SecretBox(NEW).open(rotated.seal('sk', 'c'), 'c')).toBe('sk');
  });

  it.each([
    ['another key', (sealed: string) => new SecretBox('quite another key').open(sealed, 'c')],
    ['another owner', (sealed: string) => new SecretBox('one key of sixteen').open(sealed, 'd')],
    [
      'a changed text',
      (sealed: string) => new SecretBox('one key of sixteen').open(`${sealed.slice(0, -4)}AAAA`, 'c'),
    ],
    ['a text that was never sealed', () => new SecretBox('one key of sixteen').open('sk-plain', 'c')],
  ])('does not open with %s', (_, open) => {
    const sealed = new SecretBox('one key of sixteen').seal('sk-secret', 'c');
    expect(() => open(sealed)).toThrow(SecretUnreadableError);
  });
});
