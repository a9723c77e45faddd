import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestGateway } from '../testing/test-gateway';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await TestGateway.start();
});

afterAll(() => gateway.stop());

async function sent(
  body: string | Uint8Array<ArrayBuffer> | null,
  contentType?: string,
): Promise<{ status: number; message: unknown }> {
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
  const response = await fetch(gateway.chatUrl('/inject'), { method: 'POST', body, headers });
  const { message } = (await response.json()) as { message?: unknown };
  return { status: response.status, message };
}

describe('a body', () => {
  const json = JSON.stringify({ message: 'hello' });

  it.each([
    ['application/x-www-form-urlencoded', 'got "application/x-www-form-urlencoded"'],
    ['text/plain', 'got "text/plain"'],
    ['', 'but it has no content type'],
  ])('that is sent as %j is refused with the header that it needs', async (type, got) => {
    // Bytes, since fetch gives a text a type of its own.
    const answer = type === '' ? await sent(Uint8Array.from(Buffer.from(json))) : await sent(json, type);
    expect(answer).toEqual({
      status: 422,
      message: `The body must be JSON, ${got}: send the header "Content-Type: application/json"`,
    });
  });

  it('may name its charset', async () => {
    expect((await sent(json, 'application/json; charset=utf-8')).message).not.toMatch(/must be JSON/);
  });

  it('that is empty is told what is missing in it', async () => {
    expect(await sent('', 'text/plain')).toMatchObject({
      status: 422,
      message: expect.stringMatching(/^message must be/),
    });
    expect(await sent(null)).toMatchObject({
      status: 422,
      message: expect.stringMatching(/^message must be/),
    });
  });
});
