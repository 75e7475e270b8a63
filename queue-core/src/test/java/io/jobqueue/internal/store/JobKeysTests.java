package io.jobqueue.internal.store;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.jobqueue.OnDuplicate;
import io.jobqueue.internal.store.NewJob.JobKeys;
import io.jobqueue.internal.store.NewJob.JobKeys.UniqueKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobKeys}.
 */
class JobKeysTests {

	@ParameterizedTest
	@CsvSource({ "unique,,,,false", ",ordering,,,true", ",,limit,,true", ",,,group,false" })
	void onlyOrderingAndLimitKeysNeedAdmission(@Nullable String unique, @Nullable String ordering,
			@Nullable String limit, @Nullable String group, boolean needAdmission) {
		UniqueKey key = (unique != null) ? new UniqueKey(unique, OnDuplicate.KEEP, null) : null;
		JobKeys keys = new JobKeys(key, ordering, limit, group);
		assertThat(keys.needAdmission()).isEqualTo(needAdmission);
	}

	@Test
	void noKeysNeedNoAdmission() {
		assertThat(JobKeys.NONE.needAdmission()).isFalse();
	}

}
