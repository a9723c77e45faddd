import { Gns3Client } from '@copilot/gns3';
import type { Identity } from '../auth/caller';
import type { Settings } from '../settings';

type Gns3Settings = Pick<Settings, 'GNS3_URL' | 'GNS3_USERNAME' | 'GNS3_PASSWORD'>;

/** The GNS3 server, as the service itself and as its callers. */
export class Gns3Clients {
  /** Logged in with the service's own account. */
  readonly service: Gns3Client;
  private readonly baseUrl: string;

  constructor({ GNS3_URL, GNS3_USERNAME, GNS3_PASSWORD }: Gns3Settings) {
    this.baseUrl = GNS3_URL;
    this.service = new Gns3Client({
      baseUrl: GNS3_URL,
      credentials: { username: GNS3_USERNAME, password: GNS3_PASSWORD },
    });
  }

  withToken(token: string): Gns3Client {
    return new Gns3Client({ baseUrl: this.baseUrl, credentials: { token } });
  }

  /** With the caller's own rights, where the caller has brought some. */
  of({ gns3Token }: Identity): Gns3Client {
    return gns3Token === undefined ? this.service : this.withToken(gns3Token);
  }
}
