import { Chip, Chips } from "@/components/ui/chips";
import { feedAddress } from "./feed";

type FiltersProps = { view: { appId?: string; unread?: boolean }; apps: { appId: string; name: string }[] };

/** All or unread, of all apps or of one. Links, so that every view has an address. */
export function FeedFilters({ view, apps }: FiltersProps) {
  const { appId, unread } = view;
  return (
    <nav aria-label="Views" className="mb-4 grid gap-2">
      <Chips>
        <Chip href={feedAddress({ ...(appId && { appId }) })} here={!unread}>
          All
        </Chip>
        <Chip href={feedAddress({ ...(appId && { appId }), unread: true })} here={unread === true}>
          Unread
        </Chip>
      </Chips>
      {apps.length > 1 ? (
        <Chips>
          <Chip href={feedAddress({ ...(unread && { unread }) })} here={appId === undefined}>
            All apps
          </Chip>
          {apps.map((app) => (
            <Chip
              key={app.appId}
              href={feedAddress({ appId: app.appId, ...(unread && { unread }) })}
              here={appId === app.appId}
            >
              {app.name}
            </Chip>
          ))}
        </Chips>
      ) : null}
    </nav>
  );
}
