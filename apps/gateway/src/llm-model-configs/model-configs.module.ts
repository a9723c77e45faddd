import { Module, type DynamicModule } from '@nestjs/common';
import { BaseUrlPolicy } from './base-url-policy';
import { CallersModels } from './callers-models';
import { ConfigAccess } from './config-access';
import { GroupConfigsController } from './group-configs.controller';
import { ModelConfigsService } from './model-configs.service';
import { UserConfigsController } from './user-configs.controller';

@Module({})
export class ModelConfigsModule {
  static register(allowedHosts: readonly string[]): DynamicModule {
    return {
      module: ModelConfigsModule,
      controllers: [UserConfigsController, GroupConfigsController],
      providers: [
        ModelConfigsService,
        CallersModels,
        ConfigAccess,
        { provide: BaseUrlPolicy, useFactory: () => new BaseUrlPolicy(allowedHosts) },
      ],
    };
  }
}
