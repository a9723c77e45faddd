import { describe, expect, it } from '@jest/globals';
import { previewOf } from './preview';

describe('the preview of a call', () => {
  it('lists the lines by device, in order', () => {
    const args = {
      device_configs: [
        { device_name: 'R1', config_commands: ['interface e0/0', ' no shutdown'] },
        { device_name: 'R2', config_commands: ['no router ospf 1'] },
      ],
    };
    expect(previewOf(args)).toEqual([
      { device_name: 'R1', lines: ['+ interface e0/0', '+ no shutdown'] },
      { device_name: 'R2', lines: ['+ no router ospf 1'] },
    ]);
  });

  it('shows every command that hides in one string', () => {
    const args = {
      device_configs: [{ device_name: 'PC1', commands: ['show ip\nip 10.0.0.2/24\u2028save'] }],
    };
    expect(previewOf(args)).toEqual([
      { device_name: 'PC1', lines: ['+ show ip', '+ ip 10.0.0.2/24', '+ save'] },
    ]);
  });

  it.each([{}, { node_name: 'R1' }, null, { device_configs: 'R1' }])('is null for %j', (args) => {
    expect(previewOf(args)).toBeNull();
  });
});
