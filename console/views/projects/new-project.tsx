import { useState } from 'preact/hooks';
import { callService } from '../../calls/client.ts';
import { useAction } from '../../calls/use-call.ts';
import { commandFor } from '../../command-line.ts';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { announce } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { hyphenate } from '../../components/typed-tags.ts';
import { hrefOf, navigate } from '../../router.tsx';

export const NewProjectView = () => {
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [subscription, setSubscription] = useState('active');
  const action = useAction();
  const create = () =>
    action.run(async () => {
      await callService('createProject', {
        id,
        ...(name && { name }),
        subscription: subscription === 'active' ? 'active' : 'inactive',
      });
      announce(`Project ${id} created`);
      navigate(hrefOf(['p', id]));
    });
  const options = { name, subscription: subscription === 'inactive' && subscription };
  return (
    <Page title="New project">
      <Form
        action={action}
        submit="Create project"
        onSubmit={create}
        onCancel={() => history.back()}
        command={commandFor('project create', [id || 'ID'], options)}
      >
        <TextField
          label="Id"
          hint="2 to 32 of a–z, 0–9 and hyphens, starting and ending with a letter or digit. It can't be changed later."
          value={id}
          onText={(text) => setId(hyphenate(text))}
          required
          autofocus
          pattern="[a-z0-9][a-z0-9\-]{0,30}[a-z0-9]"
        />
        <TextField label="Name" hint="The displayed name; by default the id." value={name} onText={setName} />
        <ChoiceField
          label="Subscription"
          hint="Without an active subscription, API keys of the project can't create links."
          value={subscription}
          choices={[
            ['active', 'Active'],
            ['inactive', 'Inactive'],
          ]}
          onChoice={setSubscription}
        />
      </Form>
    </Page>
  );
};
