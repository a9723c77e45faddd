import { Gns3Client } from './gns3-client';
import { Gns3Error } from './gns3-error';

interface LabAccessOptions {
  readonly baseUrl: string;
  /** The service's own account. */
  readonly service: { readonly username: string; readonly password: string };
  /** The caller's token that came with a run; nothing once the run has ended. */
  readonly tokenOf: (runId: string) => Promise<string | undefined>;
}

/** The GNS3 server with the rights of whoever a run acts for. */
export class LabAccess {
  private readonly service: Gns3Client;

  constructor(private readonly options: LabAccessOptions) {
    this.service = new Gns3Client({ baseUrl: options.baseUrl, credentials: options.service });
  }

  /**
   * A run that came with its caller's token gets that and nothing else: the service's login may do more than
   * the caller. Rejects with Gns3Error when the token is gone.
   */
  async clientFor({
    runId,
    labLogin,
  }: {
    readonly runId: string;
    readonly labLogin: 'service' | 'caller';
  }): Promise<Gns3Client> {
    if (labLogin === 'service') return this.service;
    const token = await this.options.tokenOf(runId);
    if (token === undefined) {
      throw new Gns3Error(
        'unauthorized',
        'The run has ended, and with it the login of whoever asked for it.',
      );
    }
    return new Gns3Client({ baseUrl: this.options.baseUrl, credentials: { token } });
  }
}
