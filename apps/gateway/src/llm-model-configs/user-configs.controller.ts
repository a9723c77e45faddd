import { Body, Controller, Delete, Get, HttpCode, Post, Put, UseGuards } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { Caller, type Identity } from '../auth/caller';
import { CallerGuard } from '../auth/caller.guard';
import { ApiErrors } from '../http/api-errors';
import { USER_CONFIG_PATHS } from '../http/paths';
import { ApiUuidParam, UuidParam } from '../validation/uuid-param';
import { CallersModels } from './callers-models';
import { ConfigAccess } from './config-access';
import { CREATE_ERRORS, FIND_ERRORS, READ_ERRORS, UPDATE_ERRORS } from './config-errors';
import { CreateModelConfigDto, UpdateModelConfigDto } from './model-config-requests.dto';
import {
  inheritedModelConfigs,
  InheritedModelConfigs,
  modelConfigResource,
  ModelConfigResource,
} from './model-config-resource.dto';
import { ModelConfigsService } from './model-configs.service';

@ApiTags('model configs')
@ApiUuidParam('user_id')
@UseGuards(CallerGuard)
@Controller(USER_CONFIG_PATHS)
export class UserConfigsController {
  constructor(
    private readonly configs: ModelConfigsService,
    private readonly models: CallersModels,
    private readonly access: ConfigAccess,
  ) {}

  @Get()
  @ApiOperation({ summary: "The configs that a user can chat with: own ones and those of the user's groups" })
  @ApiOkResponse({ type: InheritedModelConfigs })
  @ApiErrors(READ_ERRORS)
  async list(
    @UuidParam('user_id') userId: string,
    @Caller() caller: Identity,
  ): Promise<InheritedModelConfigs> {
    this.access.assertUser(userId, caller, 'User.Audit');
    return inheritedModelConfigs(await this.models.inherited(userId, caller));
  }

  @Get('own')
  @ApiOperation({ summary: "A user's own configs" })
  @ApiOkResponse({ type: [ModelConfigResource] })
  @ApiErrors(READ_ERRORS)
  async own(
    @UuidParam('user_id') userId: string,
    @Caller() caller: Identity,
  ): Promise<ModelConfigResource[]> {
    this.access.assertUser(userId, caller, 'User.Audit');
    return (await this.configs.list({ userId })).map(modelConfigResource);
  }

  @Get('default')
  @ApiOperation({ summary: "A user's own default config" })
  @ApiOkResponse({ type: ModelConfigResource })
  @ApiErrors(FIND_ERRORS)
  async default(
    @UuidParam('user_id') userId: string,
    @Caller() caller: Identity,
  ): Promise<ModelConfigResource> {
    this.access.assertUser(userId, caller, 'User.Audit');
    return modelConfigResource(await this.configs.default({ userId }));
  }

  @Post()
  @ApiOperation({ summary: 'Add a config' })
  @ApiCreatedResponse({ type: ModelConfigResource })
  @ApiErrors(CREATE_ERRORS)
  async create(
    @UuidParam('user_id') userId: string,
    @Caller() caller: Identity,
    @Body() body: CreateModelConfigDto,
  ): Promise<ModelConfigResource> {
    this.access.assertUser(userId, caller, 'User.Modify');
    await this.access.assertUserExists(userId, caller);
    return modelConfigResource(await this.configs.create({ userId }, body));
  }

  @Put('default/:config_id')
  @ApiUuidParam('config_id')
  @ApiOperation({ summary: 'Chat with this config from now on' })
  @ApiOkResponse({ type: ModelConfigResource })
  @ApiErrors(FIND_ERRORS)
  async setDefault(
    @UuidParam('user_id') userId: string,
    @UuidParam('config_id') configId: string,
    @Caller() caller: Identity,
  ): Promise<ModelConfigResource> {
    this.access.assertUser(userId, caller, 'User.Modify');
    return modelConfigResource(await this.configs.setDefault({ userId }, configId));
  }

  @Put(':config_id')
  @ApiUuidParam('config_id')
  @ApiOperation({ summary: 'Change a config' })
  @ApiOkResponse({ type: ModelConfigResource })
  @ApiErrors(UPDATE_ERRORS)
  async update(
    @UuidParam('user_id') userId: string,
    @UuidParam('config_id') configId: string,
    @Caller() caller: Identity,
    @Body() body: UpdateModelConfigDto,
  ): Promise<ModelConfigResource> {
    this.access.assertUser(userId, caller, 'User.Modify');
    return modelConfigResource(await this.configs.update({ userId }, configId, body));
  }

  @Delete(':config_id')
  @HttpCode(204)
  @ApiUuidParam('config_id')
  @ApiOperation({ summary: 'Delete a config' })
  @ApiNoContentResponse()
  @ApiErrors(FIND_ERRORS)
  async delete(
    @UuidParam('user_id') userId: string,
    @UuidParam('config_id') configId: string,
    @Caller() caller: Identity,
  ): Promise<void> {
    this.access.assertUser(userId, caller, 'User.Modify');
    await this.configs.delete({ userId }, configId);
  }
}
