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
import { GROUP_CONFIG_PATHS } from '../http/paths';
import { ApiUuidParam, UuidParam } from '../validation/uuid-param';
import { ConfigAccess } from './config-access';
import { CREATE_ERRORS, FIND_ERRORS, READ_ERRORS, UPDATE_ERRORS } from './config-errors';
import { CreateModelConfigDto, UpdateModelConfigDto } from './model-config-requests.dto';
import {
  modelConfigResource,
  ModelConfigResource,
  modelConfigs,
  ModelConfigs,
} from './model-config-resource.dto';
import { ModelConfigsService } from './model-configs.service';

@ApiTags('model configs')
@ApiUuidParam('group_id')
@UseGuards(CallerGuard)
@Controller(GROUP_CONFIG_PATHS)
export class GroupConfigsController {
  constructor(
    private readonly configs: ModelConfigsService,
    private readonly access: ConfigAccess,
  ) {}

  @Get()
  @ApiOperation({ summary: "A group's configs, with which all its members can chat" })
  @ApiOkResponse({ type: ModelConfigs })
  @ApiErrors(READ_ERRORS)
  async list(@UuidParam('group_id') groupId: string, @Caller() caller: Identity): Promise<ModelConfigs> {
    await this.access.assertGroup(groupId, caller, 'Group.Audit');
    return modelConfigs(await this.configs.list({ groupId }));
  }

  @Get('default')
  @ApiOperation({ summary: "A group's default config" })
  @ApiOkResponse({ type: ModelConfigResource })
  @ApiErrors(FIND_ERRORS)
  async default(
    @UuidParam('group_id') groupId: string,
    @Caller() caller: Identity,
  ): Promise<ModelConfigResource> {
    await this.access.assertGroup(groupId, caller, 'Group.Audit');
    return modelConfigResource(await this.configs.default({ groupId }));
  }

  @Post()
  @ApiOperation({ summary: 'Add a config' })
  @ApiCreatedResponse({ type: ModelConfigResource })
  @ApiErrors(CREATE_ERRORS)
  async create(
    @UuidParam('group_id') groupId: string,
    @Caller() caller: Identity,
    @Body() body: CreateModelConfigDto,
  ): Promise<ModelConfigResource> {
    await this.access.assertGroup(groupId, caller, 'Group.Modify');
    return modelConfigResource(await this.configs.create({ groupId }, body));
  }

  @Put('default/:config_id')
  @ApiUuidParam('config_id')
  @ApiOperation({ summary: 'Make a config the default of the group' })
  @ApiOkResponse({ type: ModelConfigResource })
  @ApiErrors(FIND_ERRORS)
  async setDefault(
    @UuidParam('group_id') groupId: string,
    @UuidParam('config_id') configId: string,
    @Caller() caller: Identity,
  ): Promise<ModelConfigResource> {
    await this.access.assertGroup(groupId, caller, 'Group.Modify');
    return modelConfigResource(await this.configs.setDefault({ groupId }, configId));
  }

  @Put(':config_id')
  @ApiUuidParam('config_id')
  @ApiOperation({ summary: 'Change a config' })
  @ApiOkResponse({ type: ModelConfigResource })
  @ApiErrors(UPDATE_ERRORS)
  async update(
    @UuidParam('group_id') groupId: string,
    @UuidParam('config_id') configId: string,
    @Caller() caller: Identity,
    @Body() body: UpdateModelConfigDto,
  ): Promise<ModelConfigResource> {
    await this.access.assertGroup(groupId, caller, 'Group.Modify');
    return modelConfigResource(await this.configs.update({ groupId }, configId, body));
  }

  @Delete(':config_id')
  @HttpCode(204)
  @ApiUuidParam('config_id')
  @ApiOperation({ summary: 'Delete a config' })
  @ApiNoContentResponse()
  @ApiErrors(FIND_ERRORS)
  async delete(
    @UuidParam('group_id') groupId: string,
    @UuidParam('config_id') configId: string,
    @Caller() caller: Identity,
  ): Promise<void> {
    await this.access.assertGroup(groupId, caller, 'Group.Modify');
    await this.configs.delete({ groupId }, configId);
  }
}
