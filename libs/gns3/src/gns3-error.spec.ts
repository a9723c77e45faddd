import { describe, expect, it } from '@jest/globals';
import { errorFromFailure, errorFromResponse, reasonFromBody } from './gns3-error';

describe('reasons of refused calls', () => {
  it.each([
    ['{"message":"Node is not opened","code":409}', 'Node is not opened'],
    ['{"message":"Project ID x doesn\'t exist"}', "Project ID x doesn't exist"],
    [
      '{"detail":[{"loc":["body","nodes",0,"x"],"msg":"value is not an integer","type":"t"},{"msg":"field required"}]}',
      'body.nodes.0.x: value is not an integer; field required',
    ],
    ['{"detail":"Not Found"}', 'Not Found'],
    ['<html><head><title>502 Bad Gateway</title></head><body><h1>Bad</h1></body></html>', '502 Bad Gateway'],
    ['<h1>Service</h1> <p>unavailable</p>', 'Service unavailable'],
    ['', 'HTTP 500 without a reason'],
    ['{}', 'HTTP 500 without a reason'],
    ['null', 'HTTP 500 without a reason'],
    ['plain words', 'plain words'],
  ])('H9: reads %s', (body, reason) => {
    expect(reasonFromBody(500, body)).toBe(reason);
  });

  it('H9: bounds the reason, since a proxy may send a page of any size', () => {
    expect(reasonFromBody(500, 'x'.repeat(100_000)).length).toBeLessThan(600);
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'conflict'],
    [422, 'bad_response'],
    [502, 'unreachable'],
  ] as const)('gives HTTP %s the code %s', (status, code) => {
    expect(errorFromResponse('list the nodes', status, '{"message":"why"}')).toMatchObject({
      code,
      status,
      message: `GNS3 could not list the nodes (HTTP ${status}): why`,
    });
  });
});

describe('reasons of calls without an answer', () => {
  it('names the cause and no address', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:3080'), { code: 'ECONNREFUSED' });
    const error = errorFromFailure('list the nodes', new TypeError('fetch failed', { cause }));
    expect(error).toMatchObject({ code: 'unreachable', retryable: true });
    expect(error.message).toContain('Failed to connect to GNS3 server (connection refused)');
    expect(error.message).not.toContain('10.1.2.3');
  });

  it('does without a known cause', () => {
    expect(errorFromFailure('log in', 'odd').message).toContain('network error');
  });
});
