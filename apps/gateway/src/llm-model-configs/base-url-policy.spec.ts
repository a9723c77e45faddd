import { describe, expect, it } from '@jest/globals';
import { BaseUrlPolicy } from './base-url-policy';

const NAMES: Record<string, string[]> = {
  'api.example.com': ['93.184.215.14', '2606:2800:220:1::1'],
  'inside.example.com': ['93.184.215.14', '10.0.0.8'],
  'metadata.example.com': ['169.254.169.254'],
};
const resolve = async (host: string) => NAMES[host] ?? [];

const policy = new BaseUrlPolicy(['127.0.0.1', 'ollama.lan', 'fd00::5'], resolve);

describe('BaseUrlPolicy', () => {
  it.each([
    ['', 'the provider knows its own'],
    ['https://api.example.com/v1', 'a public host'],
    ['https://8.8.8.8/v1', 'a public address'],
    ['https://not-known-yet.example.com/', 'a name that does not resolve is judged when it is called'],
    ['http://127.0.0.1:11434/v1', 'listed'],
    ['http://2130706433/v1', 'listed, written as a number'],
    ['http://OLLAMA.lan/v1', 'listed, in capitals'],
    ['http://[fd00::5]:8080/', 'listed without brackets'],
  ])('allows %j: %s', async (url) => {
    await expect(policy.assertAllowed(url)).resolves.toBeUndefined();
  });

  it.each([
    'http://localhost/v1',
    'http://sub.localhost./v1',
    'http://127.0.0.2/',
    'http://10.0.0.8/',
    'http://0x0a000008/',
    'http://0.0.0.0/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://[::ffff:192.168.0.1]/',
    'http://inside.example.com/',
    'http://metadata.example.com/',
  ])('refuses %s with the host and the remedy', async (url) => {
    await expect(policy.assertAllowed(url)).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(/^base_url names the host \S+, .* add \S+ to MODEL_ALLOWED_HOSTS\.$/),
    });
  });

  it.each([
    'ftp://api.example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'api.example.com',
    'http://',
    '/v1',
  ])('refuses %s, which is no http URL', async (url) => {
    await expect(policy.assertAllowed(url)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('base_url must be empty or an http or https URL'),
    });
  });

  it('refuses credentials in the URL and does not repeat them', async () => {
    const refusal = policy.assertAllowed('https://user:s3cret@api.example.com/');
    await expect(refusal).rejects.toMatchObject({
      status: 422,
      message: expect.not.stringContaining('s3cret'),
    });
  });
});
