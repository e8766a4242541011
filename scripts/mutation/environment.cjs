require('../../test/support/n8nCore/environment.mts');
