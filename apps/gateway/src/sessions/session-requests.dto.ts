import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsText } from '../validation/text-rule';

@ApiSchema({ name: 'SessionRename' })
export class RenameSessionDto {
  @ApiProperty({ minLength: 1, maxLength: 255, example: 'OSPF on all routers' })
  @IsText({ min: 1, max: 255, notBlank: true, exact: true })
  readonly title!: string;
}
