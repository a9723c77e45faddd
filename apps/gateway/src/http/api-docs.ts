import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

const PATH = 'docs';

/** The API document. `/v3` is the API that it describes, not the release that serves it. */
export function apiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('GNS3 Copilot service')
    .setDescription(
      'Chat with an assistant that works on a GNS3 lab. Every route of chat and model configs has two spellings, which do the same.',
    )
    .setVersion('3')
    .build();
  return SwaggerModule.createDocument(app, config);
}

export function serveApiDocs(app: INestApplication): void {
  SwaggerModule.setup(PATH, app, () => apiDocument(app), { customSiteTitle: 'GNS3 Copilot API' });
}
