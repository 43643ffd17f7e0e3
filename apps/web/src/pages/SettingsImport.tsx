import { Column } from '../components/Column.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { ImportFile } from '../features/import/ImportFile.tsx';

export function SettingsImportPage() {
  return (
    <Column>
      <PageHeader
        title="Import"
        back={{ link: { to: '/settings/your-data' }, label: 'Back to your data' }}
      />
      <ImportFile />
    </Column>
  );
}
