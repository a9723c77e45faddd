import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v1';
/** The key text is a secret of its own, so a fixed salt only separates this use from any other. */
const SALT = 'gns3-copilot-service/secret-box';

/** The text cannot be opened with any of the keys: it was sealed with one that has been taken out. */
export class SecretUnreadableError extends Error {
  override readonly name = 'SecretUnreadableError';
}

/**
 * Seals API keys and tokens for storage. Several key texts, separated by commas: the first seals, all open,
 * so a key can be replaced while old secrets are still about.
 */
export class SecretBox {
  private readonly keys: readonly Buffer[];

  constructor(secretKeys: string) {
    this.keys = secretKeys.split(',').map((text) => scryptSync(text.trim(), SALT, 32));
  }

  /** `context` (what the secret belongs to, e.g. a config's id) must be the same when it is opened. */
  seal(secret: string, context: string): string {
    const [key] = this.keys;
    if (!key) throw new Error('a secret box has at least one key');
    const iv = randomBytes(12);
    const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return [VERSION, ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join(
      '.',
    );
  }

  open(text: string, context: string): string {
    return this.opened(text, context).secret;
  }

  /** The same secret sealed with the first key; nothing if it is so already. Throws SecretUnreadableError. */
  reseal(text: string, context: string): string | undefined {
    const { secret, keyIndex } = this.opened(text, context);
    return keyIndex === 0 ? undefined : this.seal(secret, context);
  }

  private opened(text: string, context: string): { secret: string; keyIndex: number } {
    const [version, iv, tag, sealed] = text.split('.');
    if (version === VERSION && iv && tag && sealed !== undefined) {
      for (const [keyIndex, key] of this.keys.entries()) {
        try {
          const decipher = createDecipheriv(ALGORITHM, key, Buffer.from(iv, 'base64url'))
            .setAAD(Buffer.from(context))
            .setAuthTag(Buffer.from(tag, 'base64url'));
          const secret = Buffer.concat([decipher.update(Buffer.from(sealed, 'base64url')), decipher.final()]);
          return { secret: secret.toString(), keyIndex };
        } catch {
          // Sealed with another of the keys.
        }
      }
    }
    throw new SecretUnreadableError('the stored secret was sealed with a key that SECRET_KEY no longer has');
  }
}
