import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { findMoto, freePort, knownTypes, untilUp } from '../ops/emulated/moto.ts';
import { reduce, report, type Template } from '../ops/emulated/template.ts';

const root = path.join(import.meta.dirname, '..');
const stackName = 'DynamicLinks-dev';
const account = '123456789012';
const region = 'us-east-1';
const bucket = `cdk-hnb659fds-assets-${account}-${region}`;

const put = async (endpoint: string, key: string, body: Buffer | string): Promise<void> => {
  const url = `${endpoint}/${bucket}${key && `/${key}`}`;
  const answer = await fetch(url, {
    method: 'PUT',
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  if (!answer.ok) throw new Error(`PUT ${url}: ${answer.status} ${await answer.text()}`);
};

/** What \`cdk bootstrap\` would have made: the bucket of the assets, and the version that templates ask for. */
const bootstrap = async (endpoint: string): Promise<void> => {
  await put(endpoint, '', '');
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.1',
      'X-Amz-Target': 'AmazonSSM.PutParameter',
      Authorization: `AWS4-HMAC-SHA256 Credential=x/20260101/${region}/ssm/aws4_request, SignedHeaders=host, Signature=x`,
    },
    body: JSON.stringify({ Name: '/cdk-bootstrap/hnb659fds/version', Value: '30', Type: 'String' }),
  });
  if (!answer.ok) throw new Error(`The bootstrap version can not be stored: ${await answer.text()}`);
};

interface AssetManifest {
  readonly files: Record<
    string,
    { readonly source: { readonly path: string; readonly packaging: string }; readonly destinations: object }
  >;
}

const upload = async (endpoint: string, assembly: string): Promise<void> => {
  const manifest: AssetManifest = JSON.parse(
    readFileSync(path.join(assembly, `${stackName}.assets.json`), 'utf8'),
  );
  for (const [hash, { source }] of Object.entries(manifest.files)) {
    const from = path.join(assembly, source.path);
    if (source.packaging !== 'zip') await put(endpoint, `${hash}.json`, readFileSync(from));
    else {
      const file = path.join(assembly, `${hash}.zip`);
      execFileSync('python3', ['-m', 'zipfile', '-c', file, '.'], { cwd: from });
      await put(endpoint, `${hash}.zip`, readFileSync(file));
    }
  }
};

const deploy = async (client: CloudFormationClient, endpoint: string, template: Template): Promise<void> => {
  await client.send(
    new CreateStackCommand({
      StackName: stackName,
      // Moto takes the bucket from the path only of addresses that hold this name.
      TemplateURL: `${endpoint.replace('127.0.0.1', 'localhost')}/${bucket}/template.json`,
      Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM'],
    }),
  );
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
  const status = Stacks?.[0]?.StackStatus;
  if (status !== 'CREATE_COMPLETE') throw new Error(`${status}: ${Stacks?.[0]?.StackStatusReason}`);
  const { StackResources = [] } = await client.send(
    new DescribeStackResourcesCommand({ StackName: stackName }),
  );
  report(template, new Set(StackResources.map(({ LogicalResourceId }) => LogicalResourceId ?? '')));
};

/** The admin command line as an operator uses it, at the emulator's address. */
const admin = (endpoint: string, ...args: string[]): unknown =>
  JSON.parse(
    execFileSync(process.execPath, ['bin/admin.ts', ...args, '--stack', stackName, '--json'], {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        AWS_ENDPOINT_URL: endpoint,
        AWS_REGION: region,
        AWS_ACCESS_KEY_ID: 'x',
        AWS_SECRET_ACCESS_KEY: 'x',
      },
    }),
  );

const main = async (): Promise<void> => {
  const moto = findMoto();
  if (!moto) {
    console.log(
      "Skipped: moto's server is not installed (python3 -m venv .cache/moto && .cache/moto/bin/pip install 'moto[server,all]')",
    );
    return;
  }
  const assembly = mkdtempSync(path.join(tmpdir(), 'emulated-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const running = spawn(moto.server, ['-H', '127.0.0.1', '-p', String(port)], {
    stdio: process.env.VERBOSE ? 'inherit' : 'ignore',
  });
  try {
    execFileSync(process.execPath, ['bin/app.ts'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        CDK_OUTDIR: assembly,
        CDK_CONTEXT_JSON: JSON.stringify(
          JSON.parse(readFileSync(path.join(root, 'cdk.json'), 'utf8')).context,
        ),
      },
    });
    await untilUp(endpoint);
    await bootstrap(endpoint);
    await upload(endpoint, assembly);
    const template: Template = JSON.parse(
      readFileSync(path.join(assembly, `${stackName}.template.json`), 'utf8'),
    );
    await put(endpoint, 'template.json', JSON.stringify(reduce(template, knownTypes(moto))));
    const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
    const client = new CloudFormationClient({ endpoint, region, credentials });
    await deploy(client, endpoint, template);
    console.log(admin(endpoint, 'project', 'create', 'acme'));
    console.log(admin(endpoint, 'key', 'create', '--project', 'acme'));
    console.log(admin(endpoint, 'project', 'list'));
    await client.send(new DeleteStackCommand({ StackName: stackName }));
    console.log('The stack is deleted');
  } finally {
    running.kill();
    rmSync(assembly, { recursive: true, force: true });
  }
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
