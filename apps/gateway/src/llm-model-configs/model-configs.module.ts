import { Module, type DynamicModule } from '@nestjs/common';
import { BaseUrlPolicy } from './base-url-policy';
import { ModelConfigsController } from './model-configs.controller';
import { ModelConfigsService } from './model-configs.service';

@Module({})
export class ModelConfigsModule {
  static register(allowedHosts: readonly string[]): DynamicModule {
    return {
      module: ModelConfigsModule,
      controllers: [ModelConfigsController],
      providers: [
        ModelConfigsService,
        { provide: BaseUrlPolicy, useFactory: () => new BaseUrlPolicy(allowedHosts) },
      ],
    };
  }
}
