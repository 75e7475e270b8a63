package io.jobqueue.internal.maintenance;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.MaintenanceStore;
import io.jobqueue.internal.store.MaintenanceStore.KeyPass;
import io.jobqueue.internal.store.MaintenanceStore.KeyPosition;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which keys are swept of a table with three parts.
 */
class KeySweepTests {

	private final List<String> swept = new ArrayList<>();

	private final KeySweep sweep = new KeySweep(store(), new JobSignals());

	@Test
	void nextPartIsSweptOfEachKind() {
		this.sweep.run(false);
		this.sweep.run(false);
		assertThat(this.swept).containsExactly("sweepTurns 0", "sweepSlots 0", "sweepTurns 1", "sweepSlots 1");
	}

	@Test
	void allPartsAreSweptFromTheFirst() {
		this.sweep.run(false);
		this.swept.clear();
		this.sweep.run(true);
		assertThat(this.swept).containsExactly("sweepTurns 0", "sweepTurns 1", "sweepTurns 2", "sweepSlots 0",
				"sweepSlots 1", "sweepSlots 2");
	}

	private MaintenanceStore store() {
		return (MaintenanceStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { MaintenanceStore.class }, (proxy, method, arguments) -> {
					KeyPosition last = (KeyPosition) arguments[0];
					int part = (last != null) ? Integer.parseInt(last.key()) : 0;
					this.swept.add(method.getName() + " " + part);
					return new KeyPass(List.of(),
							(part < 2) ? new KeyPosition("emails", Integer.toString(part + 1)) : null);
				});
	}

}
