package countersign

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
)

// Notifications are this app's messages to its owner.
type Notifications struct{ calls *calls }

// Create sends a notification, and returns its ID.
func (n *Notifications) Create(ctx context.Context, notification NotificationRequest) (string, error) {
	var created struct{ ID string }
	key := keyOr(notification.Key)
	err := n.calls.json(ctx, call{method: http.MethodPost, path: "/api/notifications", body: notification, key: key}, &created)
	return created.ID, err
}

// Get reads one notification.
func (n *Notifications) Get(ctx context.Context, id string) (*Notification, error) {
	if id == "" {
		return nil, errors.New("countersign: the notification ID is missing")
	}
	notification := &Notification{}
	path := "/api/notifications/" + url.PathEscape(id)
	if err := n.calls.json(ctx, call{method: http.MethodGet, path: path}, notification); err != nil {
		return nil, err
	}
	return notification, nil
}

// NotificationFilter selects the notifications to list. Its zero value lists all.
type NotificationFilter struct {
	// Type is the category to list. By default, all are listed.
	Type string
	// Limit is the maximum number of notifications. By default, there is no limit.
	Limit int
}

// List iterates over this app's notifications, newest first, page by page.
func (n *Notifications) List(ctx context.Context, filter NotificationFilter) iter.Seq2[*Notification, error] {
	return pages[Notification](ctx, n.calls, "/api/notifications", map[string]string{"type": filter.Type}, filter.Limit)
}

// Integrations are the owner's linked accounts.
type Integrations struct{ calls *calls }

// List returns the accounts that the owner shares with this app.
func (i *Integrations) List(ctx context.Context) ([]Integration, error) {
	var all struct{ Data []Integration }
	err := i.calls.json(ctx, call{method: http.MethodGet, path: "/api/integrations"}, &all)
	return all.Data, err
}
