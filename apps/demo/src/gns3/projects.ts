import type { Account } from './accounts';
import { Gns3Refusal } from './gns3-error';

export const DEMO_PROJECT_ID = '11111111-1111-4111-8111-111111111111';
export const ARCHIVE_PROJECT_ID = '22222222-2222-4222-8222-222222222222';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface Project {
  readonly projectId: string;
  readonly name: string;
  status: 'opened' | 'closed';
  /** The archive holds no nodes; the demo project holds the lab. */
  readonly hasLab: boolean;
  readonly forEveryone: boolean;
}

export class Projects {
  private readonly all: readonly Project[] = [
    { projectId: DEMO_PROJECT_ID, name: 'demo', status: 'opened', hasLab: true, forEveryone: true },
    { projectId: ARCHIVE_PROJECT_ID, name: 'archive', status: 'closed', hasLab: false, forEveryone: false },
  ];

  visibleTo(account: Account): Project[] {
    return this.all.filter((project) => mayUse(account, project));
  }

  get(projectId: string, account: Account): Project {
    if (!UUID.test(projectId)) {
      throw new Gns3Refusal(
        422,
        `path -> project_id: Input should be a valid UUID, got ${JSON.stringify(projectId)}`,
      );
    }
    const project = this.all.find((each) => each.projectId === projectId.toLowerCase());
    if (!project) throw new Gns3Refusal(404, `Project ID ${projectId} doesn't exist`);
    if (!mayUse(account, project))
      throw new Gns3Refusal(403, 'Permission denied (privilege Project.Audit is required)');
    return project;
  }

  /** For calls that the server refuses on a closed project. */
  opened(projectId: string, account: Account): Project {
    const project = this.get(projectId, account);
    if (project.status !== 'opened') throw new Gns3Refusal(403, 'The project is not opened');
    return project;
  }
}

export function projectJson(project: Project): Record<string, unknown> {
  return {
    name: project.name,
    project_id: project.projectId,
    path: `/opt/gns3/projects/${project.projectId}`,
    filename: `${project.name}.gns3`,
    status: project.status,
    auto_close: false,
    auto_open: false,
    auto_start: false,
    scene_height: 1000,
    scene_width: 2000,
    zoom: 100,
    show_layers: false,
    snap_to_grid: false,
    show_grid: false,
    grid_size: 75,
    drawing_grid_size: 25,
    show_interface_labels: true,
    supplier: null,
    variables: null,
    created_by: 'admin',
  };
}

function mayUse(account: Account, project: Project): boolean {
  return account.isSuperadmin || project.forEveryone;
}
