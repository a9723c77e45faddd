import { Module, type DynamicModule } from '@nestjs/common';
import { Gns3Client } from '@copilot/gns3';
import { LOGGER, type Logger } from '@copilot/observability';
import type { Settings } from '../settings';
import { ProjectGate } from './project-gate';

type Gns3Settings = Pick<Settings, 'GNS3_URL' | 'GNS3_USERNAME' | 'GNS3_PASSWORD'>;

/** What is asked of the GNS3 server before a request is accepted, or to estimate it. */
@Module({})
export class ProjectsModule {
  static register(settings: Gns3Settings): DynamicModule {
    return {
      module: ProjectsModule,
      providers: [
        { provide: Gns3Client, useFactory: () => gns3Client(settings) },
        {
          provide: ProjectGate,
          inject: [Gns3Client, LOGGER],
          useFactory: (gns3: Gns3Client, logger: Logger) => new ProjectGate(gns3, logger),
        },
      ],
      exports: [Gns3Client, ProjectGate],
    };
  }
}

function gns3Client({ GNS3_URL, GNS3_USERNAME, GNS3_PASSWORD }: Gns3Settings): Gns3Client {
  return new Gns3Client({
    baseUrl: GNS3_URL,
    credentials: { username: GNS3_USERNAME, password: GNS3_PASSWORD },
  });
}
