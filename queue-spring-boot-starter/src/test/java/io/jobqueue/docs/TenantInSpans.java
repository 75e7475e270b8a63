package io.jobqueue.docs;

import java.util.Objects;

import io.micrometer.common.KeyValues;

import org.springframework.stereotype.Component;

import io.jobqueue.observation.DefaultRunObservationConvention;
import io.jobqueue.observation.RunObservationContext;

@Component
class TenantInSpans extends DefaultRunObservationConvention {

	@Override
	public KeyValues getHighCardinalityKeyValues(RunObservationContext context) {
		String tenant = context.getJob().headers().get("tenant");
		return super.getHighCardinalityKeyValues(context).and("tenant", Objects.toString(tenant));
	}

}
