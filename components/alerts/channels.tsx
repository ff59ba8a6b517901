import { ActionForm } from "@/components/actions/action-form";
import { Badge } from "@/components/ui/badge";
import { Disclosure } from "@/components/ui/fields/disclosure";
import { asTyped, Field, TextInput } from "@/components/ui/fields/field";
import { OwnedItem, OwnedList } from "@/components/ui/owner-item-list";
import { TimeAgo } from "@/components/ui/time/time-ago";
import type { ChannelKind, ChannelSummary } from "@/lib/alerts/channels/channel-interface";
import { AddChannel } from "./add-channel";
import { channelForms } from "./channel-form-fields";
import { TestOrRemove } from "./test-and-remove-buttons";

type ChannelsProps = {
  channels: ChannelSummary[];
  stale: React.ReactNode;
  /** The URL of Slack's page that creates an app from a manifest. */
  slackApp: string;
};

const kinds = Object.keys(channelForms) as ChannelKind[];

/** The owner's alert channels, with forms to add more. */
export const Channels = ({ channels, stale, slackApp }: ChannelsProps) => (
  <div className="grid gap-4">
    <p className="text-muted">Get alerts in the apps you already use.</p>
    <OwnedList label="Alert channels">
      {channels.map((channel) => (
        <Channel key={channel.id} {...channel} />
      ))}
    </OwnedList>
    {stale}
    <div className="flex flex-wrap items-start gap-x-4 gap-y-1">
      <h3 className="basis-full font-medium">Add an alert channel</h3>
      {kinds.map((kind) => (
        <AddChannel key={kind} act={`channel.add-${kind}`} label={channelForms[kind].label}>
          {kind === "slack-bot" ? (
            <p className="text-muted">
              First,{" "}
              <a href={slackApp} target="_blank" rel="noopener noreferrer" className="link">
                create the prefilled Slack app{" "}
              </a>{" "}
              and install it in your workspace.
            </p>
          ) : null}
          {channelForms[kind].fields.map(({ name, label: caption, hint, placeholder, ...how }) => (
            <Field key={name} label={caption} name={name} hint={hint}>
              <TextInput {...asTyped} className="font-mono" placeholder={placeholder} {...how} />
            </Field>
          ))}
          <Field label="Name (optional)" name="name" hint="Choose a name you’ll recognize, like “My phone”.">
            <TextInput maxLength={60} autoComplete="off" />
          </Field>
        </AddChannel>
      ))}
    </div>
  </div>
);

function Channel({ id, kind, name, service, createdAt, toldAt, failingSince, problem }: ChannelSummary) {
  return (
    <OwnedItem
      name={
        <>
          <bdi>{name}</bdi>
          {failingSince ? <Badge tone="danger">Failing</Badge> : toldAt ? <Badge>Working</Badge> : null}
        </>
      }
      about={
        <>
          {channelForms[kind].label} at {service} ·{" "}
          {toldAt ? (
            <>
              last message <TimeAgo at={toldAt} />
            </>
          ) : (
            <>
              added <TimeAgo at={createdAt} />
            </>
          )}
          {failingSince ? (
            <span className="block text-danger">
              {problem}. Failing since <TimeAgo at={failingSince} />.
            </span>
          ) : null}
        </>
      }
      gone={`Alerts stopped on ${name}`}
    >
      <div className="flex flex-wrap items-start gap-2">
        <TestOrRemove kind="channel" id={id} name={name}>
          If you add the channel later, you’ll need to enter its settings again.
        </TestOrRemove>
        <Disclosure label="Rename">
          <ActionForm act="channel.rename" fields={{ id }} save="Save" className="mt-2 grid gap-2">
            <Field label="New name" name="name">
              <TextInput key={name} required maxLength={60} autoComplete="off" defaultValue={name} />
            </Field>
          </ActionForm>
        </Disclosure>
      </div>
    </OwnedItem>
  );
}
