import { Module, type DynamicModule } from '@nestjs/common';
import { LOGGER, type Logger } from '@copilot/observability';
import { Gns3Clients } from '../gns3/gns3-clients';
import { RateLimiter, type RedisClient } from '@copilot/redis';
import { REDIS } from '../events/events.module';
import { UserRates } from '../rate-limits/user-rates';
import type { Settings } from '../settings';
import { AUTHENTICATOR, type Authenticator } from './authenticator';
import { Gns3Authenticator } from './gns3-authenticator';
import { GroupAccess } from './group-access';
import { JwtAuthenticator } from './jwt-authenticator';
import { LocalAuthenticator } from './local-authenticator';
import { ProjectGate } from './project-gate';

/** Who is calling, and what the caller may touch. */
@Module({})
export class AuthModule {
  static register(settings: Settings): DynamicModule {
    return {
      module: AuthModule,
      global: true,
      providers: [
        { provide: Gns3Clients, useValue: new Gns3Clients(settings) },
        {
          provide: AUTHENTICATOR,
          inject: [Gns3Clients, LOGGER],
          useFactory: (clients: Gns3Clients, logger: Logger) => authenticatorOf(settings, clients, logger),
        },
        {
          provide: UserRates,
          inject: [REDIS, LOGGER],
          useFactory: (redis: RedisClient, logger: Logger) =>
            new UserRates(
              new RateLimiter(redis),
              { requests: settings.RATE_LIMIT_PER_MINUTE, messages: settings.CHAT_RATE_LIMIT_PER_MINUTE },
              logger,
            ),
        },
        {
          provide: ProjectGate,
          inject: [Gns3Clients, LOGGER],
          useFactory: (clients: Gns3Clients, logger: Logger) => new ProjectGate(clients, logger),
        },
        {
          provide: GroupAccess,
          inject: [Gns3Clients, LOGGER],
          useFactory: (clients: Gns3Clients, logger: Logger) => new GroupAccess(clients, logger),
        },
      ],
      exports: [AUTHENTICATOR, Gns3Clients, ProjectGate, GroupAccess, UserRates],
    };
  }
}

function authenticatorOf(settings: Settings, clients: Gns3Clients, logger: Logger): Authenticator {
  switch (settings.AUTH_MODE) {
    case 'none':
      return new LocalAuthenticator();
    case 'jwt':
      return new JwtAuthenticator(settings.JWT_SECRET);
    case 'gns3':
      return new Gns3Authenticator((token) => clients.withToken(token), logger);
  }
}
