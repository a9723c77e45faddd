import { describe, expect, it } from '@jest/globals';
import { bannerRefusal, joinBanners } from './ios-banner';

describe('banners', () => {
  it('joins a banner from its beginning to its delimiter', () => {
    const lines = ['hostname R1', 'banner motd #', 'Lab only', 'Keep out #', 'no shutdown'];
    expect(joinBanners(lines)).toEqual(['hostname R1', 'banner motd #\nLab only\nKeep out #', 'no shutdown']);
    expect(joinBanners(['banner login ^C', 'x', '^C', 'end'])).toEqual(['banner login ^C\nx\n^C', 'end']);
  });

  it('leaves a banner of one line as it is', () => {
    expect(joinBanners(['banner motd # Lab only #', 'no shutdown'])).toEqual([
      'banner motd # Lab only #',
      'no shutdown',
    ]);
  });

  it('refuses a banner that has no end or is too long', () => {
    const [open = ''] = joinBanners(['banner motd #', 'Lab only', 'no shutdown']);
    expect(bannerRefusal(open)).toContain("delimiter '#'");
    expect(bannerRefusal('banner motd #')).toContain('no end');
    expect(bannerRefusal(`banner motd #${'\nx'.repeat(60)}\n#`)).toContain('more than 40 lines');
    expect(bannerRefusal('banner motd #\nLab only\n#')).toBeUndefined();
    expect(bannerRefusal('banner motd # Lab only #')).toBeUndefined();
    expect(bannerRefusal('no banner motd')).toBeUndefined();
  });
});
