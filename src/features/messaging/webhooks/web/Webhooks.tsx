// The organization's webhooks: all endpoints, or one with its deliveries.
import { isId } from '#kernel/ids.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { EndpointList } from './EndpointList.tsx';
import { EndpointView } from './EndpointView.tsx';

export function Webhooks() {
  const [endpointId, setEndpointId] = useParam('endpoint');
  return isId('whe', endpointId) ? (
    <EndpointView key={endpointId} endpointId={endpointId} onBack={() => setEndpointId(undefined)} />
  ) : (
    <EndpointList onOpen={setEndpointId} />
  );
}
