package io.jobqueue.internal.boot.datasource;

import java.util.Map;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class RoutingCheckTests {

	private final DataSource one = new DriverManagerDataSource();

	private final DataSource other = new DriverManagerDataSource();

	@Test
	void severalTargetsAreWarnedOf(CapturedOutput output) {
		RoutingCheck.check(new LazyConnectionDataSourceProxy(new Routes(this.one, Map.of("b", this.other))),
				"the DataSource 'tenants'");
		assertThat(output).contains("The job queue uses the DataSource 'tenants', which routes to 2 targets.");
	}

	@Test
	void singleTargetIsNot(CapturedOutput output) {
		RoutingCheck.check(new Routes(this.one, Map.of("a", this.one, "b", this.one)), "the DataSource 'tenants'");
		RoutingCheck.check(new LazyConnectionDataSourceProxy(this.one), "the DataSource 'dataSource'");
		assertThat(output).doesNotContain("routes to");
	}

	private static final class Routes extends AbstractRoutingDataSource {

		Routes(DataSource byDefault, Map<Object, Object> targets) {
			setDefaultTargetDataSource(byDefault);
			setTargetDataSources(targets);
			afterPropertiesSet();
		}

		@Override
		protected Object determineCurrentLookupKey() {
			return "a";
		}

	}

}
