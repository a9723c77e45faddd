import { z } from 'zod';

/**
 * What this service needs from the server's answers. Unknown fields are ignored and everything that a
 * version may leave out is optional, so a newer server does not break us by adding or dropping fields.
 */
export const projectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  status: z.string().default('unknown'),
});
export type Gns3Project = z.infer<typeof projectSchema>;

export const portSchema = z.object({
  name: z.string(),
  short_name: z.string().nullish(),
  adapter_number: z.number().int(),
  port_number: z.number().int(),
});
export type Gns3Port = z.infer<typeof portSchema>;

export const nodeSchema = z.object({
  node_id: z.string(),
  name: z.string(),
  node_type: z.string(),
  status: z.string().nullish(),
  compute_id: z.string().nullish(),
  console: z.number().int().nullish(),
  console_type: z.string().nullish(),
  console_host: z.string().nullish(),
  ports: z.array(portSchema).nullish(),
  tags: z.array(z.string()).nullish(),
  /** Newer servers carry the driver name in a field of its own, beside the `device_type:` tag. */
  netmiko_device_type: z.string().nullish(),
  default_username: z.string().nullish(),
  default_password: z.string().nullish(),
});
export type Gns3Node = z.infer<typeof nodeSchema>;

export const linkSchema = z.object({
  link_id: z.string(),
  nodes: z
    .array(
      z.object({
        node_id: z.string(),
        adapter_number: z.number().int(),
        port_number: z.number().int(),
      }),
    )
    .nullish(),
});
export type Gns3Link = z.infer<typeof linkSchema>;

export const templateSchema = z.object({
  template_id: z.string(),
  name: z.string(),
  template_type: z.string().nullish(),
});
export type Gns3Template = z.infer<typeof templateSchema>;

export const computeSchema = z.object({
  compute_id: z.string(),
  name: z.string().nullish(),
  host: z.string().nullish(),
  connected: z.boolean().nullish(),
});
export type Gns3Compute = z.infer<typeof computeSchema>;

export const versionSchema = z.object({ version: z.string() });
export type Gns3Version = z.infer<typeof versionSchema>;

export const userSchema = z.object({
  user_id: z.string(),
  username: z.string(),
  is_active: z.boolean().default(true),
  is_superadmin: z.boolean().default(false),
});
export type Gns3User = z.infer<typeof userSchema>;

export const groupSchema = z.object({ user_group_id: z.string(), name: z.string() });
export type Gns3Group = z.infer<typeof groupSchema>;

export const tokenSchema = z.object({ access_token: z.string().min(1) });
