import { describe, expect, it } from '@jest/globals';
import { ciscoIos } from './drivers/cisco-ios';
import { huaweiVrp } from './drivers/huawei-vrp';
import { matchPrompt, showsEcho } from './prompt-match';

describe('prompt matching', () => {
  it.each(['R1#', 'R1>', 'R1(config)#', 'R1(config-if)#'])('takes %s as the prompt of R1', (line) => {
    expect(matchPrompt(ciscoIos, line, ['R1'])?.host).toBe('R1');
  });

  it.each([
    ' description uplink#',
    '!### core #',
    'R2#',
    'R1# show',
    'R1',
    '##########',
    'R11#',
    `${'R'.repeat(200)}#`,
  ])('G8: does not take %s as the prompt of R1', (line) => {
    expect(matchPrompt(ciscoIos, line, ['R1'])).toBeUndefined();
  });

  it('G22: takes a shortened host name and keeps the full one', () => {
    const full = 'R-with-a-name-of-30-characters';
    expect(matchPrompt(ciscoIos, `${full.slice(0, 20)}(config)#`, [full])).toEqual({
      host: full,
      mode: 'config',
    });
    expect(matchPrompt(ciscoIos, 'R-with(config)#', [full])).toBeUndefined();
  });

  it('G12: takes a Huawei view as the prompt of its host', () => {
    expect(matchPrompt(huaweiVrp, '[*HW-GigabitEthernet0/0/1]', ['HW'])).toEqual({
      host: 'HW',
      mode: 'config',
      uncommitted: true,
    });
    expect(matchPrompt(huaweiVrp, '<HW>', ['HW-GigabitEthernet0/0/1'])).toEqual({ host: 'HW', mode: 'exec' });
    expect(matchPrompt(huaweiVrp, '[HW2]', ['HW'])).toBeUndefined();
  });

  it('knows an echo by its end, since a long command is redrawn', () => {
    expect(showsEcho('R1#show ip interface brief', 'show ip  interface brief')).toBe(true);
    expect(
      showsEcho(
        'R1(config)#$cription a very long text to the other side of the lab',
        `description ${'x'.repeat(60)} a very long text to the other side of the lab`,
      ),
    ).toBe(true);
    expect(showsEcho('R1#show ip', 'show version')).toBe(false);
  });
});
