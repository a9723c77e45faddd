import { describe, expect, it } from '@jest/globals';
import { parseRedisUrl } from './redis-url';

const CLUSTER = { kind: 'cluster', tls: false, username: undefined, password: undefined, nat: {} };

describe('a REDIS_URL', () => {
  it.each([
    'redis://localhost',
    'redis://127.0.0.1:6379/3',
    'redis://:p%40ss@h:6380/0?family=6',
    'rediss://user:password@redis.example.com:6380',
    'redis://[::1]:6379',
  ])('with one host names a server: %s', (url) => {
    expect(parseRedisUrl(url)).toEqual({ kind: 'server', url });
  });

  it('with several hosts names a cluster, by any of its nodes', () => {
    expect(parseRedisUrl('redis://a:7000,b,[::1]:7002')).toEqual({
      ...CLUSTER,
      nodes: [
        { host: 'a', port: 7000 },
        { host: 'b', port: 6379 },
        { host: '::1', port: 7002 },
      ],
    });
  });

  it('with one host names a cluster when it says so', () => {
    expect(parseRedisUrl('redis://config.example.com:6379?cluster=true')).toEqual({
      ...CLUSTER,
      nodes: [{ host: 'config.example.com', port: 6379 }],
    });
    expect(parseRedisUrl('redis://h/0?cluster=true')).toMatchObject({ nodes: [{ host: 'h', port: 6379 }] });
  });

  it('passes TLS and the login on to every node', () => {
    expect(parseRedisUrl('rediss://me:s%3Acret@a,b:80')).toMatchObject({
      tls: true,
      username: 'me',
      password: 's:cret',
      nodes: [
        { host: 'a', port: 6379 },
        { host: 'b', port: 80 },
      ],
    });
    expect(parseRedisUrl('redis://:secret@a,b')).toMatchObject({ username: undefined, password: 'secret' });
  });

  it('says where nodes that announce an address of their own network are reached', () => {
    expect(parseRedisUrl('redis://a:1,b:2?nat=10.0.0.1:6379/a:1,10.0.0.2:6379/b:2')).toMatchObject({
      nat: { '10.0.0.1:6379': { host: 'a', port: 1 }, '10.0.0.2:6379': { host: 'b', port: 2 } },
    });
  });

  it.each([
    ['', 'must look like'],
    ['localhost:6379', 'must look like'],
    ['http://a,b', 'must look like'],
    ['redis://h:notaport', 'must look like'],
    ['redis://a,b:notaport', '"b:notaport", which is no host:port'],
    ['redis://a,,b', '"", which is no host:port'],
    ['redis://a,b/2', 'database 2'],
    ['redis://a,b?family=6', 'the parameter family'],
    ['redis://a,b?nat=10.0.0.1:6379', 'must look like 10.0.0.1:6379/'],
    ['redis://x%:secret@a,b', 'write it as %25'],
  ])('is refused with what is wrong with it: %s', (url, reason) => {
    expect(() => parseRedisUrl(url)).toThrow(reason);
  });

  it('is refused without its password', () => {
    expect(() => parseRedisUrl('redis://:secret@a,b:notaport')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });
});
