import { Body, Controller, Get, Post, Put, UseGuards } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Caller, type Identity } from '../auth/caller';
import { CallerGuard } from '../auth/caller.guard';
import { ApiErrors } from '../http/api-errors';
import { USER_CONFIG_PATHS } from '../http/paths';
import { ApiUuidParam, UuidParam } from '../validation/uuid-param';
import { CreateModelConfigDto, UpdateModelConfigDto } from './model-config-requests.dto';
import {
  inheritedModelConfigs,
  InheritedModelConfigs,
  modelConfigResource,
  ModelConfigResource,
} from './model-config-resource.dto';
import { ModelConfigsService } from './model-configs.service';

const FORBIDDEN = { 403: "The configs are another user's" };
const INVALID_ID = { 422: 'An id is not a UUID' };
const INVALID = { 422: 'A field or an id is not valid, or base_url leads to an internal address' };
const NOT_FOUND = { 404: 'The user has no such config' };

@ApiTags('model configs')
@ApiUuidParam('user_id')
@UseGuards(CallerGuard)
@Controller(USER_CONFIG_PATHS)
export class ModelConfigsController {
  constructor(private readonly configs: ModelConfigsService) {}

  @Get()
  @ApiOperation({ summary: 'The configs that a user can chat with' })
  @ApiOkResponse({ type: InheritedModelConfigs })
  @ApiErrors({ ...FORBIDDEN, ...INVALID_ID })
  async list(
    @UuidParam('user_id') userId: string,
    @Caller() caller: Identity,
  ): Promise<InheritedModelConfigs> {
    return inheritedModelConfigs(await this.configs.list(userId, caller));
  }

  @Get('own')
  @ApiOperation({ summary: "A user's own configs" })
  @ApiOkResponse({ type: [ModelConfigResource] })
  @ApiErrors({ ...FORBIDDEN, ...INVALID_ID })
  async own(
    @UuidParam('user_id') userId: string,
    @Caller() caller: Identity,
  ): Promise<ModelConfigResource[]> {
    return (await this.configs.list(userId, caller)).map(modelConfigResource);
  }

  @Post()
  @ApiOperation({ summary: 'Add a config' })
  @ApiCreatedResponse({ type: ModelConfigResource })
  @ApiErrors({ ...FORBIDDEN, ...INVALID })
  async create(
    @UuidParam('user_id') userId: string,
    @Caller() caller: Identity,
    @Body() body: CreateModelConfigDto,
  ): Promise<ModelConfigResource> {
    return modelConfigResource(await this.configs.create(userId, caller, body));
  }

  @Put('default/:config_id')
  @ApiUuidParam('config_id')
  @ApiOperation({ summary: 'Chat with this config from now on' })
  @ApiOkResponse({ type: ModelConfigResource })
  @ApiErrors({ ...FORBIDDEN, ...NOT_FOUND, ...INVALID_ID })
  async setDefault(
    @UuidParam('user_id') userId: string,
    @UuidParam('config_id') configId: string,
    @Caller() caller: Identity,
  ): Promise<ModelConfigResource> {
    return modelConfigResource(await this.configs.setDefault(userId, configId, caller));
  }

  @Put(':config_id')
  @ApiUuidParam('config_id')
  @ApiOperation({ summary: 'Change a config' })
  @ApiOkResponse({ type: ModelConfigResource })
  @ApiErrors({
    ...FORBIDDEN,
    ...NOT_FOUND,
    409: 'The config has another version than `expected_version`',
    ...INVALID,
  })
  async update(
    @UuidParam('user_id') userId: string,
    @UuidParam('config_id') configId: string,
    @Caller() caller: Identity,
    @Body() body: UpdateModelConfigDto,
  ): Promise<ModelConfigResource> {
    return modelConfigResource(await this.configs.update(userId, configId, caller, body));
  }
}
