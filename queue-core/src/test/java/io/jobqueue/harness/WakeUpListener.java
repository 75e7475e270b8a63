package io.jobqueue.harness;

import java.util.Collection;
import java.util.function.Consumer;

import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.WakeUp;

/**
 * Listens to wake-ups only.
 *
 * @param receiver receives the wake-ups of each commit
 */
public record WakeUpListener(Consumer<Collection<? extends WakeUp>> receiver) implements JobSignals.Listener {

	@Override
	public void onWakeUps(Collection<? extends WakeUp> signals) {
		this.receiver.accept(signals);
	}

}
