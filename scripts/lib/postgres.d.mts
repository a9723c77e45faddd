/** Brings up a private Postgres in `folder`; with `keep` its data outlives the server. */
export function startPostgres(options: {
  folder: string;
  binariesFolder: string;
  password: string;
  keep: boolean;
  onGiveUp: (message: string) => void;
}): Promise<{ url: string; stop(force: boolean): Promise<void> }>;
